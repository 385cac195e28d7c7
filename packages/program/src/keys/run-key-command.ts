import { spawn } from 'node:child_process';
import { readBase64 } from '@svc/keyring/bytes/canonical-base64.ts';
import { KeyFault } from './key-fault.ts';

export type KeyOperation = 'wrap' | 'unwrap';

/** Longer than a key management service takes on a bad day, and shorter than anyone waits for a start. */
const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const ERRORS_BYTES_MAX = 4 * 1024;
const TOLD_CHARACTERS_MAX = 300;

/** The words of a command, and its environment. */
export type KeyCommand = { readonly words: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> };

/** Returns the error output of a command, in one line and without anything that could be a key. */
const getComplaint = (errors: Buffer): string => {
  const text = errors
    .toString('utf8')
    .replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, '…')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return text === '' ? '' : `: ${text.slice(0, TOLD_CHARACTERS_MAX)}`;
};

type Ended = { readonly code: number | null; readonly output: Buffer; readonly errors: Buffer; readonly why: string | undefined };

/** Returns the output of a command up to the bounds; kills it and its children when it takes too long or writes too much. */
const run = ({ words: [program = '', ...words], env }: KeyCommand, input: string, timeoutMs: number): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true });
    const kept = { output: [] as Buffer[], errors: [] as Buffer[], outputBytes: 0, errorsBytes: 0 };
    let why: string | undefined;
    const kill = (reason: string): void => {
      why ??= reason;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // It has already exited.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => kill(`did not answer within ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      kept.outputBytes += chunk.length;
      if (kept.outputBytes > OUTPUT_BYTES_MAX) kill(`returned more than ${OUTPUT_BYTES_MAX} bytes`);
      else kept.output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (kept.errorsBytes < ERRORS_BYTES_MAX) kept.errors.push(chunk.subarray(0, ERRORS_BYTES_MAX - kept.errorsBytes));
      kept.errorsBytes += chunk.length;
    });
    // It may exit without reading its input.
    child.stdin.on('error', () => undefined);
    child.once('error', (error: NodeJS.ErrnoException) => kill(`could not be started (${error.code ?? error.message})`));
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(kept.output), errors: Buffer.concat(kept.errors), why });
    };
    child.once('close', end);
    child.stdin.end(`${input}\n`);
  });

/**
 * Lets an external command wrap or unwrap the installation key: the operation is its last word, the bytes come on its standard input and
 * leave
 * on its standard output, one line of base64 each. No shell reads the words. Its output is never reported, and its error output only
 * without
 * anything that could be a key. Throws a KeyFault.
 */
export const runKeyCommand = async (
  command: KeyCommand,
  operation: KeyOperation,
  bytes: Uint8Array,
  timeoutMs = TIMEOUT_MS,
): Promise<Buffer> => {
  const { code, output, errors, why } = await run(
    { ...command, words: [...command.words, operation] },
    Buffer.from(bytes).toString('base64'),
    timeoutMs,
  );
  const said = `The command of SVC_MASTER_KEY_COMMAND ("${command.words[0] ?? ''}") asked to ${operation} the key of the installation`;
  const remedy = 'Check that this account can run it manually, and that the services it uses are reachable.';
  if (why !== undefined) throw new KeyFault(`${said} ${why}. ${remedy}`);
  if (code !== 0) throw new KeyFault(`${said} ended with ${code ?? 'a signal'}${getComplaint(errors)}. ${remedy}`);
  const answer = readBase64(output.toString('utf8').replace(/\s+/g, ''));
  output.fill(0);
  if (answer === null || answer.length === 0)
    throw new KeyFault(`${said} did not write one line of padded base64 on its standard output. ${remedy}`);
  return answer;
};
