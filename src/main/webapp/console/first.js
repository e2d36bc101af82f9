// Not a module, so that it runs before anything is drawn: whoever chose dark never sees a white page.
document.documentElement.dataset.theme = localStorage.getItem('readpast.theme') ?? 'system';
