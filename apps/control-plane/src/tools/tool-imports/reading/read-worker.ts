import { flushCompileCache } from 'node:module';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOptions, ProposedTool, RejectedOperation } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { toLine } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { proposeTools } from '@svc/domain/tools/tool-imports/propose-tools.ts';
import { listUnstorablePointers } from '@svc/http/bodies/storable-json.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { limitProcessorTime } from './limit-processor-time.ts';
import { parseDocument } from './parse-document.ts';
import { toProposalRow } from './proposal-rows.ts';

/** Messages to the process: the options, then the document in chunks, then its end. */
export type ReadMessage =
  | { readonly kind: 'begin'; readonly options: ImportOptions; readonly processorMs: number }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

/** Metadata of a document. */
export type DocumentMetadata = { readonly format: string; readonly title: string; readonly version: string; readonly hash: string };

/** Messages from the process: that it has started, proposals as JSON arrays, then the metadata; or why it is no document. */
export type ReadReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly text: string }
  | { readonly kind: 'done'; readonly document: DocumentMetadata }
  | { readonly kind: 'fault'; readonly message: string };

const CHARACTERS_TOGETHER = 65_536;
const TOO_MUCH = 'The document proposes more tools than one import can contain. Split it, with a separate source for each part.';

const TOO_LARGE = 'The declaration is larger than the maximum size of a proposal.';

const tell = (reply: ReadReply): void => void process.send?.(reply);

/** Returns why a row cannot be stored, as a sentence. */
const unkeptRow = (row: object): string | undefined => {
  const [unstorable] = listUnstorablePointers(row);
  return unstorable && `The declaration cannot be stored (${toLine(unstorable.pointer, 200)}). ${unstorable.message}`;
};

/** Encodes a row. The planes read rows whole, so one that is too large, or holds text that cannot be stored, is no proposal. */
const boundedRow = (each: ProposedTool | RejectedOperation, position: number): string => {
  const row = toProposalRow(each, position);
  const unkept = unkeptRow(row);
  const text = JSON.stringify(row);
  if (unkept === undefined && text.length <= LIMITS.toolImports.proposalBytesMax) return text;
  const { key, operation, summary } = each;
  const shown = { key, operation: toLine(operation, 500), summary: toLine(summary, 200) };
  return JSON.stringify(toProposalRow({ ...shown, refused: unkept ?? TOO_LARGE }, position));
};

const read = (bytes: Buffer, options: ImportOptions): void => {
  const parsed = parseDocument(bytes);
  if ('fault' in parsed) return void tell({ kind: 'fault', message: parsed.fault });
  const found = proposeTools(parsed, options);
  if ('fault' in found) return void tell({ kind: 'fault', message: found.fault });
  let position = 0;
  let characters = 0;
  let rows: string[] = [];
  let gathered = 0;
  const flush = (): void => {
    if (rows.length > 0) tell({ kind: 'rows', text: `[${rows.join(',')}]` });
    rows = [];
    gathered = 0;
  };
  const keys = new Set<string>();
  for (const each of found.proposals()) {
    if (keys.has(each.key)) return void tell({ kind: 'fault', message: `The document names two operations ${each.key}: name them apart.` });
    keys.add(each.key);
    const row = boundedRow(each, position);
    position += 1;
    characters += row.length;
    if (characters > LIMITS.toolImports.proposalsBytesMax) return void tell({ kind: 'fault', message: TOO_MUCH });
    rows.push(row);
    gathered += row.length;
    if (gathered >= CHARACTERS_TOGETHER) flush();
  }
  flush();
  const { format, title, version } = found;
  tell({ kind: 'done', document: { format, title, version, hash: sha256Hex(bytes) } });
};

let options: ImportOptions = { source: '' };
const pieces: Uint8Array[] = [];

process.on('message', (message) => {
  const question = message as ReadMessage;
  if (question.kind === 'begin') {
    ({ options } = question);
    limitProcessorTime(question.processorMs);
  } else if (question.kind === 'piece') pieces.push(question.bytes);
  else {
    try {
      read(Buffer.concat(pieces.splice(0)), options);
    } catch (error) {
      // A document nested too deeply to parse ends here too.
      if (!(error instanceof RangeError)) throw error;
      tell({ kind: 'fault', message: 'The document is nested too deeply to be read.' });
    }
  }
});
process.on('disconnect', () => process.exit(0));

// The process is killed, after which the compile cache would not be written for the next document.
flushCompileCache();
tell({ kind: 'ready' });
