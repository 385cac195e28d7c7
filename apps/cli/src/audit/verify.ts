import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OperationTypes } from '@svc/client/client.ts';
import { EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

type Verification = OperationTypes['verifyAuditEvents']['result'];

const PAGES_MAX = 10_000;

/** Returns the path of the verifier, which needs only Node: next to the built program, or in its own folder when run from the sources. */
const verifierPath = (): string => {
  const built = fileURLToPath(new URL('./verifier.mjs', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../../../verifier/verify.mjs', import.meta.url));
};

const verifyOffline = (file: string, { key, checkpoint }: HandOptions): Promise<ExitCode> => {
  if (typeof key !== 'string') throw getUsageError('--key is required with --offline: the verifier key from "svc audit log --json".');
  const args = [verifierPath(), file, '--key', key, ...(typeof checkpoint === 'string' ? ['--checkpoint', checkpoint] : [])];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? EXIT.ok : EXIT.failed));
  });
};

/** Compares the audit record with the sealed log, page by page; or an export with its signed checkpoint, without the service. */
export const verifyAudit: RunCommand = async (cli, _, options) => {
  if (typeof options.offline === 'string') return verifyOffline(options.offline, options);
  const { client } = await cli.connect();
  const findings: Verification['findings'][number][] = [];
  let next: number | null = 0;
  let last: Verification | undefined;
  for (let page = 0; next !== null && page < PAGES_MAX; page += 1) {
    last = await client.verifyAuditEvents({ body: { from_sequence: next } });
    findings.push(...last.findings);
    next = last.next_sequence;
    if (next !== null) cli.io.note(`Verified ${next} of ${last.tree_size} events.`);
  }
  const intact = findings.length === 0 && last?.intact !== false;
  const result = {
    intact,
    tree_size: last?.tree_size ?? 0,
    removed_by_retention: last?.removed_by_retention ?? 0,
    checkpoint: last?.checkpoint ?? null,
    findings,
  };
  printResult(cli, result, () => {
    cli.io.out(
      intact
        ? `${cli.io.paint('green', 'INTACT')}  ${result.tree_size} events match the sealed log.`
        : `${cli.io.paint('red', 'NOT INTACT')}  ${findings.length} findings`,
    );
    for (const { kind, sequence, event_id, says } of findings)
      cli.io.out(`  ${kind}  ${sequence ?? ''}  ${event_id ?? ''}  ${escapeControlCharacters(says)}`);
  });
  return intact ? EXIT.ok : EXIT.failed;
};
