import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { ExportRequest } from '@svc/contract/events/audit-exports.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { listOutsideRanges } from '@svc/keyring/log/merkle.ts';
import { recordExport } from '@svc/operations/events/audit-exports/record-export.ts';
import { exportRecords, listExportedTypes } from '@svc/operations/events/audit-log/export-records.ts';
import { readSegmentHashes } from '@svc/operations/events/audit-log/hashes-over.ts';
import { readRemoval } from '@svc/operations/events/audit-log/read-removal.ts';
import type { AuditedLog, LogReader } from '@svc/operations/events/audit-log/verify-log.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { newSearchReader } from '@svc/postgres/connection/open-replica.ts';
import { findLeavesBetween, readExported } from '@svc/postgres/events/audit-exports.ts';
import type { EventsDeps } from '../deps.ts';
import { FILE_FORMS } from './files/forms.ts';
import { type FileSource, writeFile } from './files/write-file.ts';

type ExportCall = Call<Endpoints['exportAuditEvents']>;

const PART =
  'An export covers the audit log of the whole organization, and your access is limited to a part of it. Ask a user with full access.';
const NOTHING = 'No event of this organization is sealed yet. Sealing takes about a second and requires a running worker. Try again.';

type Plan = {
  readonly leaves: { readonly from: number; readonly to: number };
  readonly size: number;
  readonly checkpoint: string;
  readonly note: string | null;
  readonly removedBelow: number;
};

/**
 * Reads the requested range of the log, and which events retention may have removed. The latter is read first: it is signed for the log at
 * that moment, and the checkpoint is of that log or a later one.
 */
const readPlan = async (read: LogReader, log: AuditedLog, { from, to }: ExportRequest): Promise<Plan | undefined> => {
  const { organizationId } = log;
  const { note, leaves: removedBelow } = await read((tx) => readRemoval(tx, log));
  const tree = await read((tx) => findTree(tx, organizationId));
  if (tree === undefined) return undefined;
  const { size, checkpoint } = tree;
  return { leaves: await findLeavesBetween(read, organizationId, { from, to, size }), size, checkpoint, note, removedBelow };
};

/**
 * Updates the plan after everything was read. Retention announces what it removes beforehand, so the newest announcement covers what was
 * removed meanwhile. If that is of a later log, the export becomes one of that log, including events sealed since if it went to the end.
 */
const settlePlan = async (read: LogReader, log: AuditedLog, plan: Plan): Promise<Plan> => {
  const { note, leaves: removedBelow } = await read((tx) => readRemoval(tx, log));
  const tree = note === plan.note ? undefined : await read((tx) => findTree(tx, log.organizationId));
  if (tree === undefined) return plan;
  const { size, checkpoint } = tree;
  const { from, to } = plan.leaves;
  return { leaves: { from, to: to === plan.size && from < to ? size : to }, size, checkpoint, note, removedBelow };
};

/** Returns the hashes that represent the rest of the log. */
const hashesOutside = async (read: LogReader, { organizationId }: AuditedLog, { leaves, size }: Plan) => {
  const outside = listOutsideRanges(leaves, size);
  const hashes = await read((tx) => readSegmentHashes(tx, organizationId, outside));
  return outside.map((part, n) => ({ ...part, hash: hashes[n]?.toString('base64') ?? '' }));
};

/** Records the start and the end of an export. */
const newRecorder = (call: ExportCall, sealed: number) => {
  const { format = 'JSONL', filter = {}, from = null, to = null, records = false } = call.body;
  const organizationId = call.scope.organization_id;
  const began = performance.now();
  const record = (data: Readonly<Record<string, unknown>>) =>
    call.change((change) => recordExport(change, { organizationId, data: { ...data, format } }));
  const begin = () => record({ phase: 'begun', filter, from, to, records, sealed_events: sealed });
  const end: FileSource['end'] = (outcome) => record({ ...outcome, duration_ms: Math.round(performance.now() - began) });
  return { begin, end };
};

/** Returns why records may not be exported; undefined if none are requested or the export is permitted. */
const recordsRefusal = ({ body, lacks, refuse }: ExportCall) => {
  if (body.records !== true) return undefined;
  if ((body.format ?? 'JSONL') !== 'JSONL')
    return refuse('VALIDATION_FAILED', 'Records can be exported only as JSONL. Omit records, or choose that format.', {
      faults: [{ pointer: '/records', message: 'Only with the format JSONL.' }],
    });
  const permissions = lacks(['action:read']);
  return permissions.length === 0
    ? undefined
    : refuse('PERMISSION_DENIED', 'Exporting records requires the permission to read actions.', { permissions });
};

/** Exports events page by page, each in a short transaction of its own, and only as fast as the caller reads. */
export const exportAuditEvents: Handler<Endpoints['exportAuditEvents'], EventsDeps> = async (call, deps) => {
  const { scope, database, body } = call;
  const { organization_id } = scope;
  if (scope.workspace_ids || scope.environment_id) return call.refuse('PERMISSION_DENIED', PART);
  const { format = 'JSONL', filter = {}, from, to, records = false } = body;
  const wrongTime = findTimeFilterRefusal(body) ?? recordsRefusal(call);
  if (wrongTime) return wrongTime;
  const leavesMax = records ? LIMITS.exports.leavesWithRecordsMax : LIMITS.exports.leavesAtOnceMax;
  const read: LogReader = newSearchReader(database, deps.replica, scope);
  // Retention may have removed an event that was signed with a key that is retired since, or created since this process started.
  const openLog = async (): Promise<AuditedLog> => {
    await deps.platformKeys.renew();
    const keys = [...deps.platformKeys.keys.ofLog.values()];
    return { organizationId: organization_id, installationId: deps.installationId, keys };
  };
  const begun = await readPlan(read, await openLog(), body);
  if (begun === undefined) return call.refuse('CONFLICT', NOTHING, { retry_after_seconds: 1 });
  let plan = begun;
  const types = listExportedTypes((permission) => call.lacks([permission]).length === 0);
  const asked = { ...filter, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const form = FILE_FORMS[format];
  const origin = getLogOrigin(deps.installationId, organization_id);
  const source: FileSource = {
    form,
    ...begun.leaves,
    read: (at, end) =>
      read(async (tx) => {
        const page = await readExported(tx, organization_id, { from: at, to: end, asked, leavesMax });
        return { ...page, records: records ? await exportRecords(tx, organization_id, page.events, { ...plan, types }) : [] };
      }),
    origin: { organization_id, request_id: call.requestId, exported_at: call.now.getTime() },
    settle: async () => {
      plan = await settlePlan(read, await openLog(), plan);
      return plan.leaves.to;
    },
    manifest: async () => {
      const { leaves, size, checkpoint, note } = plan;
      const outside = form.hasHashes ? await hashesOutside(read, await openLog(), plan) : [];
      const filtered = Object.keys(asked).length === 0 ? null : asked;
      return {
        origin,
        organization_id,
        ...leaves,
        tree_size: size,
        filter: filtered,
        outside,
        checkpoint,
        retention: note,
        ...(records ? { records, record_types: types } : {}),
      };
    },
    ...newRecorder(call, begun.leaves.to - begun.leaves.from),
  };
  const fileName = `audit-${organization_id}-${begun.size}.${form.ending}`;
  return { type: form.type, fileName, parts: (ended) => writeFile(source, ended) };
};
