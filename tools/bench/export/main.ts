import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bearerTransport, createControlClient } from '@svc/client/client.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { getProcessMicros, getResidentMegabytes } from '../processor-time.ts';
import { generateEvents } from '../search/generate.ts';

/**
 * npm run bench -- export [--events=1000000 --format=JSONL]
 *
 * Measures how many sealed events per second are exported, and the memory of the plane.
 */
endOnOtherWords(
  `Measures how many sealed events a second leave as a file, and what memory the plane takes for it:

    npm run bench -- export                                a million events as JSONL
    npm run bench -- export --events=100000 --format=CSV   so many, in JSONL, CSV or OCSF`,
  /^--(events=\d+|format=(JSONL|CSV|OCSF))$/,
);
const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' }, format: { type: 'string', default: 'JSONL' } } });
const EVENTS = Number(values.events);
const ASKED_PER_SECOND = 20_000;
const ASKED_MEGABYTES = 200;
const LOOK_MS = 100;

const planes = await startPlanes({ gateways: 0 });
const owner = await planes.database.client();
const tenant = await newTenant(planes);
const organizationId = tenant.organization_id;
await generateEvents(owner, { organizationId, workspaceId: tenant.workspace_id, environmentId: tenant.environment_id, events: EVENTS });

const sealedSize = async (): Promise<number> =>
  Number((await owner.query('select size from audit_trees where organization_id = $1', [organizationId])).rows[0]?.size ?? 0);

/** Sealed by a worker, which is stopped afterwards, so that only the export is measured. */
const seal = async (): Promise<void> => {
  const begun = performance.now();
  const worker = await startWorker(planes.database);
  while ((await sealedSize()) < EVENTS) await sleep(LOOK_MS);
  console.log(
    `${EVENTS.toLocaleString('en')} events sealed, ${Math.round((EVENTS * 1_000) / (performance.now() - begun)).toLocaleString('en')} a second`,
  );
  await worker.stop();
};

/** Counts the bytes and drops them, for any wire; the last line is kept. */
const take = async (response: Response): Promise<{ readonly bytes: number; readonly last: string }> => {
  const decoder = new TextDecoder();
  let [bytes, last] = [0, ''];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    const text = last + decoder.decode(chunk, { stream: true });
    last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  }
  return { bytes, last };
};

await seal();
const pid = planes.control.pid ?? 0;
const before = getResidentMegabytes(pid) ?? 0;
let most = before;
const watching = setInterval(() => {
  most = Math.max(most, getResidentMegabytes(pid) ?? 0);
}, LOOK_MS);
const [begun, micros] = [performance.now(), getProcessMicros(pid)];
const client = createControlClient({ transport: bearerTransport({ url: planes.controlUrl, token: tenant.token }) });
const response = await client.exportAuditEvents({ body: { format: values.format as 'JSONL' | 'CSV' | 'OCSF' } });
const { bytes, last } = await take(response);
const seconds = (performance.now() - begun) / 1_000;
clearInterval(watching);
const isWhole = /manifest/.test(last);
const perSecond = Math.round(EVENTS / seconds);
console.log(
  `${perSecond.toLocaleString('en')} events a second (required: ${ASKED_PER_SECOND.toLocaleString('en')}), ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s, ${isWhole ? 'whole' : 'broken off'}`,
);
console.log(
  `the plane: ${before.toFixed(0)} MB before, and ${(most - before).toFixed(0)} MB more for the export (required: under ${ASKED_MEGABYTES}), ${((getProcessMicros(pid) - micros) / EVENTS).toFixed(1)} us of its processor for an event`,
);
await owner.end();
await planes.stop();
process.exitCode = isWhole && perSecond >= ASKED_PER_SECOND && most - before < ASKED_MEGABYTES ? 0 : 1;
