const ORDERS = 'api/orders';
const outcome = document.getElementById('outcome');

// Inserts text only, so that foreign content is never parsed as markup.
function show(counts) {
  for (const [name, count] of Object.entries(counts)) {
    document.getElementById(name)?.replaceChildren(String(count));
  }
}

async function refresh() {
  try {
    const answer = await fetch(ORDERS);
    if (answer.ok) {
      show(await answer.json());
    }
  } catch {
    // The server may be restarting; the page polls again.
  }
}

function jobLink(id) {
  const link = document.createElement('a');
  link.href = `/readpast/#/jobs/${encodeURIComponent(id)}`;
  link.append(`job ${id}`);
  return link;
}

async function place(declined) {
  try {
    const answer = await fetch(`${ORDERS}?declined=${declined}`, { method: 'POST' });
    if (!answer.ok) {
      throw new Error(`the server responded with status ${answer.status}`);
    }
    const { orderId, jobId, orderExists, jobExists } = await answer.json();
    const is = (exists) => (exists ? 'exists' : 'does not exist');
    outcome.className = declined ? 'undone' : 'done';
    outcome.replaceChildren(
      declined
        ? 'Both were written, the payment was declined, and the transaction was rolled back: '
        : 'Committed: ',
      `order ${orderId} ${is(orderExists)}, `,
      jobExists ? jobLink(jobId) : `job ${jobId}`,
      ` ${is(jobExists)}.`,
    );
  } catch (error) {
    outcome.className = '';
    outcome.replaceChildren(`The order could not be placed: ${error.message}`);
  }
  await refresh();
}

document.getElementById('place').addEventListener('click', () => place(false));
document.getElementById('decline').addEventListener('click', () => place(true));
refresh();
setInterval(() => document.hidden || refresh(), 1000);
