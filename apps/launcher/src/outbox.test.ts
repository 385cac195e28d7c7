import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { getPersonsEnvironment, launchService } from '@svc/testing/processes/launch-service.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-outbox-'));
after(() => rmSync(home, { recursive: true, force: true }));

const outbox = (dataDir: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    const options = { env: getPersonsEnvironment({ DATA_DIR: dataDir, PGHOST: 'nowhere.example' }) };
    execFile(process.execPath, [path.join(import.meta.dirname, 'outbox.ts'), ...words], options, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

test('the terminal and npm run ops -- outbox show the code of a sign-up, and no log does; it admits the first person', async () => {
  const dataDir = path.join(home, 'data');
  const service = await launchService({ dataDir });
  try {
    assert.match(service.said(), /^ {2}Mails {13}http:\S+\/outbox, or npm run ops -- outbox$/m);
    const body = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' };
    await newControlClient(service.controlUrl).startSignup({ body });
    for (let tries = 0; tries < 200 && !service.said().includes('└'); tries += 1) await sleep(50);
    const [box = ''] = /^┌─+┐\n│ Mail to ada@example\.com +│\n[^┘]*┘$/m.exec(service.said()) ?? [];
    const [, code = ''] = /^│ {5}(\d{6}) +│$/m.exec(box) ?? [];
    assert.match(code, /^\d{6}$/, service.said());
    const { code: status, said } = await outbox(dataDir);
    assert.deepEqual([status, said.includes(box)], [0, true], said);
    for (const log of ['control-plane.log', 'gateway.log']) assert.ok(!readFileSync(path.join(dataDir, log), 'utf8').includes(code), log);
    await newControlClient(service.controlUrl).verifySignup({ body: { email: 'ada@example.com', code } });
  } finally {
    await service.stop();
  }
});

test('a folder without a service and unknown arguments are reported in a message', async () => {
  assert.match((await outbox(home)).said, /^There is no database in \S+: name its folder with DATA_DIR/);
  assert.deepEqual([(await outbox(home, 'all')).code, (await outbox(home, '--help')).code], [2, 0]);
});
