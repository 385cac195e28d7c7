import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { ExportRequest } from '@svc/contract/events/audit-exports.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { timeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { originOf } from '@svc/keyring/log/audit-log.ts';
import { outsideOf } from '@svc/keyring/log/merkle.ts';
import { hashesOver } from '@svc/operations/events/audit-log/hashes-over.ts';
import { readRemoval } from '@svc/operations/events/audit-log/read-removal.ts';
import type { AuditedLog, LogReader } from '@svc/operations/events/audit-log/verify-log.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findLeavesBetween, readExported } from '@svc/postgres/events/exported-stretch.ts';
import type { ControlDeps } from '../../deps.ts';
import { FILE_FORMS } from './files/forms.ts';
import { type FileSource, writeFile } from './files/write-file.ts';

type ExportCall = Call<Endpoints['exportAuditEvents']>;

const PART = 'An export is of the whole organization’s record, and this call is limited to a part of it: ask somebody who sees all of it.';
const NOTHING = 'Nothing of this organization is sealed yet, which takes about a second; ask again then. A worker has to run.';

/** The stretch of the log that is asked for, with what its manifest says of the rest. What grows meanwhile is not in it. */
const readPlan = async (read: LogReader, log: AuditedLog, { from, to }: ExportRequest) => {
  const { organizationId } = log;
  const tree = await read((tx) => findTree(tx, organizationId));
  if (tree === undefined) return undefined;
  const { size, checkpoint } = tree;
  const leaves = await findLeavesBetween(read, organizationId, { from, to, size });
  const outside = outsideOf(leaves, size);
  const hashes = await read((tx) => hashesOver(tx, organizationId, outside));
  const { note } = await read((tx) => readRemoval(tx, log));
  return { leaves, size, checkpoint, note, outside: outside.map((part, n) => ({ ...part, hash: hashes[n]?.toString('base64') ?? '' })) };
};

/** What the record is told of an export, as it begins and as it ends. */
const teller = (call: ExportCall, sealed: number) => {
  const { format = 'JSONL', filter = {}, from = null, to = null } = call.body;
  const began = performance.now();
  const tell = (data: Readonly<Record<string, unknown>>) =>
    call.change(async ({ emit }) => {
      emit('audit.exported', { ...about.organization({ id: call.scope.organization_id }), data: { ...data, format } });
    });
  const begin = () => tell({ phase: 'begun', filter, from, to, sealed_events: sealed });
  const end: FileSource['end'] = (outcome) => tell({ ...outcome, duration_ms: Math.round(performance.now() - began) });
  return { begin, end };
};

/** Read page by page, each in a short transaction of its own, and only as fast as it is taken. */
export const exportAuditEvents: Handler<Endpoints['exportAuditEvents'], ControlDeps> = async (call, deps) => {
  const { scope, database, body } = call;
  const { organization_id } = scope;
  if (scope.workspace_ids || scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  const { format = 'JSONL', filter = {}, from, to } = body;
  const wrongTime = timeFilterRefusal(body);
  if (wrongTime) return wrongTime;
  const read: LogReader = (work) => searchInTenant(database, scope, work);
  // What retention removed may have been signed by a key that is retired since, or that was made since this process started.
  await deps.platformKeys.renew();
  const keys = [...deps.platformKeys.keys.ofLog.values()];
  const log = { organizationId: organization_id, installationId: deps.installationId, keys };
  const plan = await readPlan(read, log, body);
  if (plan === undefined) return call.refuse('CONFLICT', NOTHING, { retry_after_seconds: 1 });
  const { leaves, size, checkpoint, outside, note } = plan;
  const asked = { ...filter, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const form = FILE_FORMS[format];
  const origin = originOf(deps.installationId, organization_id);
  const source: FileSource = {
    form,
    ...leaves,
    read: (at) => read((tx) => readExported(tx, organization_id, { from: at, to: leaves.to, asked })),
    manifest: {
      ...{ origin, organization_id, ...leaves, tree_size: size, filter: Object.keys(asked).length === 0 ? null : asked },
      ...{ outside: form.hasHashes ? outside : [], checkpoint, retention: note },
    },
    ...teller(call, leaves.to - leaves.from),
  };
  const fileName = `audit-${organization_id}-${size}.${form.ending}`;
  return { type: form.type, fileName, parts: (ended) => writeFile(source, ended) };
};
