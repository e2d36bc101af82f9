// The unit tests of the console's pure modules. `ConsoleModules` evaluates them in the console's page; returns the failures.
async () => {
  const [json, route, format, search, layout, series, times] = await Promise.all(
    ['json', 'route', 'format', 'search', 'layout', 'series', 'times'].map((name) => import(`./console/${name}.js`)));
  const failures = [];
  const equal = (actual, expected, what) => {
    const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (one !== other) {
      failures.push(`${what}: ${one} instead of ${other}`);
    }
  };
  const tests = {
    member_keeps_the_digits_of_a_number() {
      const text = '{"a":"}\\"{", "payload": {"n":12345678901234567890,"s":"],}"} , "payload2":1}';
      equal(json.member(text, 'payload'), '{"n":12345678901234567890,"s":"],}"}', 'object');
      equal(json.member(text, 'payload2'), '1', 'number');
      equal(json.member(text, 'a'), '"}\\"{"', 'string with braces');
      equal(json.member(text, 'n'), null, 'member of a member');
      equal(json.member('{}', 'a'), null, 'empty object');
    },
    json_is_indented_with_its_digits_and_its_order() {
      equal(json.pretty('{"b":[1,{"a":1.50}],"c":{},"d":[ ]}'),
        '{\n  "b": [\n    1,\n    {\n      "a": 1.50\n    }\n  ],\n  "c": {},\n  "d": []\n}', 'nested');
      equal(json.pretty('"a, b: [c]"'), '"a, b: [c]"', 'string');
      equal(json.pretty(null), '', 'nothing');
    },
    direction_marks_are_written_as_escapes() {
      equal(json.escaped('a\u202eb\u2066c'), 'a\\u202eb\\u2066c', 'marks');
    },
    address_is_read_as_it_was_written() {
      const hash = route.href('jobs', ['a/b ü', 17], { q: 'queue:"a b"', state: '', page: null, n: 0 });
      equal(hash, '#/jobs/a%2Fb%20%C3%BC/17?q=queue%3A%22a+b%22&n=0', 'written');
      const { page, parts, query } = route.parse(hash);
      equal([page, parts, Object.fromEntries(query)], ['jobs', ['a/b ü', '17'], { q: 'queue:"a b"', n: '0' }], 'read');
      equal(route.parse('').page, 'overview', 'no address');
      equal(route.parse('#/jobs/%').parts, ['%'], 'malformed');
    },
    durations_and_times_are_short() {
      const spans = [null, 0, 0.4, 999, 1_234, 59_400, 250_000, 3_600_000, 90_000_000];
      equal(spans.map(format.span), ['–', '< 1 ms', '< 1 ms', '999 ms', '1.2 s', '59 s', '4 min 10 s', '1 h', '1 d 1 h'], 'spans');
      const now = Date.UTC(2027, 0, 1);
      equal([-3_599_000, -20_000, 7_200_000].map((millis) => format.relative(now + millis, now)),
        ['1 hr ago', '20 sec ago', 'in 2 hr'], 'relative times');
      equal([9_999, 12_345].map((number) => format.compact(number).toUpperCase()), ['9,999', '12.3K'], 'numbers');
    },
    search_is_changed_value_by_value() {
      equal(search.searchFor({ queue: 'mail', group: 'a "b" \\c' }), 'queue:mail group:"a \\"b\\" \\\\c"', 'written');
      const written = 'queue:mail error:"a queue:x" age>1h property.region:"e u" 17';
      equal(search.valuesIn(written, 'queue').join(), 'mail', 'value');
      equal(search.valuesIn(written, 'property.region').join(), 'e u', 'quoted value');
      equal(search.valuesIn(written, 'type').length, 0, 'no value');
      equal(search.withValues(written, 'queue', ['other one']), 'error:"a queue:x" age>1h property.region:"e u" 17 queue:"other one"', 'changed');
      equal(search.withValues(written, 'error', []), 'queue:mail age>1h property.region:"e u" 17', 'removed');
      equal(search.withValues('', 'type', ['a.b']), 'type:a.b', 'added');
      equal(search.withValues('queue:a', 'queue', ['a', 'b']), 'queue:a,b', 'several values');
      equal(search.valuesIn('age>1h queue:a,b', 'queue').join(' '), 'a b', 'values of a list');
      equal(search.valuesIn('node:"a, b"', 'node').join('|'), 'a, b', 'quoted value of a list');
      equal(search.valuesIn('group:a,b', 'group').join('|'), 'a,b', 'no list');
      equal(search.withValues('', 'node', ['a,b']), 'node:"a,b"', 'value with a comma');
      equal([search.canAdd('queue:a', 'queue', 'b'), search.canAdd('node:"a b"', 'node', 'c'), search.canAdd('', 'group', 'a')].join(),
        'true,false,false', 'values that can be added');
      const hostile = 'a "b" \\c';
      equal(search.valuesIn(search.withValues('', 'group', [hostile]), 'group')[0], hostile, 'value that was escaped');
    },
    graph_places_a_job_right_of_all_that_it_waits_for() {
      const job = (id, ...after) => ({ id, type: 't', state: 'BLOCKED', after });
      const places = layout.layout([job(4, 2, 3), job(1), job(2, 1), job(3, 2, 99), job(5)]);
      const column = Object.fromEntries(places.map(({ job: { id }, x }) => [id, x / 232]));
      equal(column, { 1: 0, 2: 1, 3: 2, 4: 3, 5: 0 }, 'columns');
      equal(new Set(places.map(({ x, y }) => `${x} ${y}`)).size, 5, 'places');
      equal(layout.layout([job(1, 2), job(2, 1)]).length, 2, 'cycle');
      equal(layout.layout([]), [], 'no jobs');
    },
    series_takes_newer_values_and_stays_as_long_as_it_is() {
      const of = (at, value) => ({
        at, enqueued: at.map(() => value), completed: at.map(() => value), failed: at.map(() => value),
        waited: { p50: at.map(() => value), p95: at.map(() => value), p99: at.map(() => value) },
        ran: { p50: at.map(() => value), p95: at.map(() => value), p99: at.map(() => value) },
      });
      const merged = series.merge(of([1, 2, 3, 4], 1), of([3, 4, 5, 6], 2), 5);
      equal(merged.at, [2, 3, 4, 5, 6], 'times');
      equal([merged.enqueued, merged.ran.p99, merged.waited.p50], Array(3).fill([1, 2, 2, 2, 2]), 'values');
      equal(series.merge(of([1, 2], 1), of([], 2), 5).at, [1, 2], 'nothing new');
      equal(series.merge(of([1, 2], 1), of([8, 9], 2), 2).at, [8, 9], 'nothing kept');
      equal(series.withGaps([0, 1.5, 0]), [null, 1.5, null], 'gaps');
    },
    stacked_areas_cover_one_another() {
      equal(series.stack([[7, 8], [1, 2], [10, 0], [100, null]]), [[7, 8], [111, 2], [110, 0], [100, 0]], 'three areas');
      equal(series.stack([[7]]), [[7]], 'no areas');
    },
    areas_keep_their_places() {
      const first = series.placed(new Map(), ['a', 'b', 'c', '']);
      equal([...first], [['a', 1], ['b', 2], ['c', 3], ['', Infinity]], 'first');
      equal([...series.placed(first, ['c', 'd', 'a'])].sort(), [['a', 1], ['c', 3], ['d', 2]], 'one left, one came');
    },
    times_of_forms_are_local_and_those_of_other_days_have_a_date() {
      equal(times.utc(times.localField('2027-03-04T05:06:00.000Z')), '2027-03-04T05:06:00.000Z', 'there and back');
      equal([times.localField(null), times.localField('never'), times.utc('')], ['', '', null], 'nothing');
      const noon = new Date(2027, 0, 2, 12);
      equal(times.timeOrDate(noon.toISOString(), noon), noon.toLocaleTimeString(), 'today');
      equal(times.timeOrDate(noon.toISOString(), new Date(2027, 0, 3)), format.clock(noon), 'yesterday');
    },
    schedules_are_described_in_words() {
      equal(times.duration('PT15M'), '15 min', 'duration');
      equal(times.duration('P1DT1H'), '1 d 1 h', 'days');
      equal(times.inZone('2027-01-01T12:00:00Z', 'No/Where'), '2027-01-01T12:00:00Z', 'unknown zone');
    },
  };
  for (const [name, test] of Object.entries(tests)) {
    const before = failures.length;
    try {
      test();
    } catch (error) {
      failures.push(String(error));
    }
    failures.splice(before, Infinity, ...failures.slice(before).map((failure) => `${name}: ${failure}`));
  }
  return { failures, tests: Object.keys(tests).length };
}
