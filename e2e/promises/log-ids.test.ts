import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { LOG_LEVEL: 'debug' } });
  governed = await newGoverned(planes);
});
after(() => planes.stop());

/** Lines about a process, not about a request or a scheduled job. */
const OF_PROCESS = [
  /^started$/,
  /responds again\.$/,
  /does not respond\.$/,
  /clock/,
  /the time is reliable/,
  /Warning/,
  /is not recognized/,
];

type Line = Readonly<Record<string, unknown>> & { readonly msg?: string };

const lines = (): Line[] =>
  planes
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });

const readLine = async (requestId: string): Promise<Line | undefined> => {
  for (let turn = 0; turn < 2_400; turn += 1) {
    const line = lines().find((each) => each.request_id === requestId);
    if (line) return line;
    await sleep(25);
  }
  return undefined;
};

test('every line about a request or a job has both of its ids, which are those of the response', async () => {
  const { gatewayUrl, controlUrl } = planes;
  const owner = await planes.database.client();
  const answers = [await governed.act({}), await call(gatewayUrl, 'GET', '/nowhere'), await call(controlUrl, 'GET', '/v1/agents')];
  answers.push(await call(gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: governed.agent.id, assertion: 'x' } }));
  try {
    await owner.query('alter table actions rename to actions_away');
    answers.push(await governed.act({}), await governed.owner('GET', '/v1/actions'));
    await owner.query('alter table approvals rename to approvals_away');
    // The job that expires approvals fails in its next run.
    for (let turn = 0; turn < 1_200 && !lines().some(({ job }) => job === 'expire-approvals'); turn += 1) await sleep(50);
  } finally {
    await owner.query('alter table if exists approvals_away rename to approvals');
    await owner.query('alter table actions_away rename to actions');
    await owner.end();
  }
  assert.ok(answers.some(({ status }) => status === 503));
  for (const { headers, text } of answers) {
    const line = await readLine(headers.get('x-request-id') ?? '');
    assert.equal(line?.trace_id, headers.get('x-trace-id'), text);
  }
  const unreadable = await sendRaw(gatewayUrl, 'NONSENSE\r\n\r\n');
  const [, requestId = ''] = /x-request-id: (\S+)/.exec(unreadable) ?? [];
  const [, traceId] = /x-trace-id: (\S+)/.exec(unreadable) ?? [];
  assert.equal((await readLine(requestId))?.trace_id, traceId, 'of bytes that are no request');
  assert.ok(
    lines().some(({ job }) => job === 'expire-approvals'),
    'a job broke off and said so',
  );
  for (const line of lines().filter(({ msg = '' }) => !OF_PROCESS.some((each) => each.test(msg)))) {
    assert.match(String(line.request_id), /^req_[0-9A-Z]{26}$/, JSON.stringify(line));
    assert.match(String(line.trace_id), /^[0-9a-f]{32}$/, JSON.stringify(line));
  }
});
