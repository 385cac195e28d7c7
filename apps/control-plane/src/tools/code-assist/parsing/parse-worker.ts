import type { CodeLanguage } from '@svc/contract/tools/code-assist.ts';
import { type Assembled, assembleSource, findRequested } from '@svc/domain/tools/code-assist/assemble-source.ts';
import { checkRewrite, type RewriteCheckResults } from '@svc/domain/tools/code-assist/check-rewrite.ts';
import { javascript } from '@svc/domain/tools/code-assist/javascript.ts';
import { python } from '@svc/domain/tools/code-assist/python.ts';
import type { CodeEdit } from '@svc/domain/tools/code-assist/read-edits.ts';
import type { ParsedSource } from '@svc/domain/tools/code-assist/source-tree.ts';
import { parseJavascript } from './parse-javascript.ts';
import { parsePython } from './parse-python.ts';

type Asked = { readonly language: CodeLanguage; readonly file: string; readonly source: string };
type Requested = { readonly key: string; readonly line: number };

/** `find` looks for the guard calls; `check` puts edits in their place and checks the result. */
export type ParseTask =
  | (Asked & { readonly kind: 'find'; readonly tools: readonly Requested[] })
  | (Asked & { readonly kind: 'check'; readonly edits: readonly CodeEdit[] });

export type ParseReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'fault'; readonly message: string; readonly at?: number }
  | { readonly kind: 'found'; readonly calls: readonly string[] }
  | { readonly kind: 'checked'; readonly assembled: Assembled; readonly checks: RewriteCheckResults };

const answer = (reply: ParseReply): void => void process.send?.(reply);

const NAMES = { typescript: 'source.ts', javascript: 'source.js' } as const;

const getName = ({ language, file }: Asked): string => {
  if (language === 'typescript') return file.endsWith('.tsx') ? 'source.tsx' : NAMES.typescript;
  return file.endsWith('.jsx') ? 'source.jsx' : NAMES.javascript;
};

const parse = (
  asked: Asked,
  source: string,
): Promise<ParsedSource | { readonly fault: string }> | ParsedSource | { readonly fault: string } =>
  asked.language === 'python' ? parsePython(source) : parseJavascript(getName(asked), source);

const NO_CALL = 'There is no guard call with this key near the line on a client that the file creates, or more than one.';

const work = async (question: ParseTask): Promise<void> => {
  const language = question.language === 'python' ? python : javascript;
  const before = await parse(question, question.source);
  if ('fault' in before) return answer({ kind: 'fault', message: before.fault });
  const calls = language.findGuardCalls(before.root);
  if (question.kind === 'find') {
    const found = question.tools.map(({ key, line }) => findRequested(question.source, calls, key, line));
    const missing = found.indexOf(undefined);
    if (missing !== -1) return answer({ kind: 'fault', message: NO_CALL, at: missing });
    return answer({ kind: 'found', calls: found.map((each) => question.source.slice(each?.node.start, each?.node.end)) });
  }
  const { edits, file, source } = question;
  const assembled = assembleSource(file, source, calls, edits);
  const after = await parse(question, assembled.source);
  if ('fault' in after) return answer({ kind: 'fault', message: 'A new call is no valid code.' });
  const keys = new Set(edits.map(({ key }) => key));
  const checks = checkRewrite(language, { ...before, source }, { ...after, source: assembled.source }, keys);
  answer({ kind: 'checked', assembled, checks });
};

process.on('message', (message) => {
  work(message as ParseTask).catch((error: unknown) => {
    // A source nested too deeply to parse ends here too.
    if (!(error instanceof RangeError)) throw error;
    answer({ kind: 'fault', message: 'The source is nested too deeply.' });
  });
});
process.on('disconnect', () => process.exit(0));
answer({ kind: 'ready' });
