import { generateKeyPairSync, type KeyObject, randomBytes, randomInt } from 'node:crypto';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { EXPORT_FORMAT } from '@svc/contract/events/audit-export.ts';
import { eventLeafHash, getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, EMPTY_TREE, growTree, type TreeHash } from '@svc/keyring/log/merkle.ts';
import { signCheckpoint, writeVerifierKey } from '@svc/keyring/log/signed-note.ts';
import { newUlid } from '../records/new-ulid.ts';

export type LogKey = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
/** Returns the leaf of any event, genuine or not. */
export const buildLeafOfEvent = (event: AuditEvent): TreeHash => eventLeafHash(event);

export const newLogKey = (): LogKey => generateKeyPairSync('ed25519');

/** Installation of these logs. */
export const LOG_INSTALLATION = 'feedfacef0';

/** A separate log, built like the service does, and its export as lines. */
export type SealedLog = {
  readonly organizationId: string;
  readonly events: readonly AuditEvent[];
  readonly key: LogKey;
  /** Verifier key as an auditor gets it. */
  readonly verifierKey: string;
  /** Returns the checkpoint at a size. */
  readonly checkpointOf: (size: number, by?: LogKey) => string;
  readonly hashes: readonly TreeHash[];
};

const newEvent = (organizationId: string, n: number): AuditEvent => ({
  id: `evt_${newUlid(1_700_000_000_000 + n)}`,
  type: ['action.allowed', 'action.blocked', 'agent.paused', 'policy.activated'][n % 4] ?? '',
  occurred_at: new Date(1_700_000_000_000 + n).toISOString(),
  organization_id: organizationId,
  workspace_id: n % 3 === 0 ? null : `wsp_${n % 7}`,
  environment_id: null,
  actor: { type: 'AGENT', id: `agt_${n % 11}`, name: n % 5 === 0 ? null : `Agent “${n % 5}” 🜁` },
  subject: { type: 'action', id: `act_${n}` },
  severity: 'info',
  request_id: `req_${n}`,
  trace_id: randomBytes(16).toString('hex'),
  data: { amount: randomInt(1_000_000) / 100, tool: 'pay', nested: { '1': [n, null, true], ä: 'ö' } },
  sequence: n,
});

/** `addedData` is additional event data; `organizationId` makes it another log of an existing organization. */
export const newSealedLog = (
  size: number,
  key = newLogKey(),
  addedData: AuditEvent['data'] = {},
  organizationId = `org_${newUlid()}`,
): SealedLog => {
  const events = Array.from({ length: size }, (_, n) => newEvent(organizationId, n)).map((event) => ({
    ...event,
    data: { ...event.data, ...addedData },
  }));
  const hashes = events.map(eventLeafHash);
  const origin = getLogOrigin(LOG_INSTALLATION, organizationId);
  return {
    organizationId,
    events,
    key,
    verifierKey: writeVerifierKey(origin, key.publicKey),
    checkpointOf: (count, by = key) =>
      signCheckpoint({ origin, size: count, root: computeRoot(growTree(EMPTY_TREE, hashes.slice(0, count))) }, by.privateKey),
    hashes,
  };
};

const TILE_WIDTH = 256;

/** Returns the lines of an export of everything, or of what was sealed up to some size. */
export const exportLines = (log: SealedLog, size = log.events.length): string[] => {
  const lines: string[] = [];
  for (let from = 0; from < size; from += TILE_WIDTH) {
    const to = Math.min(size, from + TILE_WIDTH);
    lines.push(...log.events.slice(from, to).map((event) => JSON.stringify(event)));
    lines.push(JSON.stringify({ tile: { from, hashes: Buffer.concat(log.hashes.slice(from, to)).toString('base64') } }));
  }
  const checkpoint = log.checkpointOf(size);
  const manifest = {
    format: EXPORT_FORMAT,
    origin: getLogOrigin(LOG_INSTALLATION, log.organizationId),
    organization_id: log.organizationId,
    from: 0,
    to: size,
    tree_size: size,
    events: size,
    outside: [],
    checkpoint,
  };
  return [...lines, JSON.stringify({ manifest })];
};
