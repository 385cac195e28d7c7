import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { openCosignature } from '@svc/keyring/log/cosignature.ts';
import type { Witness } from '@svc/program/settings/witness.ts';
import { type Anchor, type AnchoredCheckpoint, conflictAnchor, failAnchor, type SignedLog } from '../anchor.ts';
import { type AnchorResponse, callPlace, describeUnexpectedStatus, isAnswer } from './call.ts';

type Deps = { readonly witness: Witness; readonly egress: Egress; readonly nowMs: () => number };

const REASONS: Readonly<Record<number, string>> = {
  400: 'The witness does not accept this request. Check that the address is its submission address.',
  403: 'The witness does not trust the key of the log. Register the verifier keys of the log with it.',
  404: 'The witness does not know the log. Register the name and the verifier keys of the log with it.',
};

const submit = async ({ witness, egress }: Deps, log: SignedLog, earlier: number): Promise<AnchorResponse | AnchoredCheckpoint> => {
  const proof = earlier === 0 || earlier === log.size ? [] : await log.prove(earlier);
  const lines = [`old ${earlier}`, ...proof.map((hash) => hash.toString('base64')), '', log.note];
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return callPlace(egress, {
    method: 'POST',
    url: `${witness.url}/add-checkpoint`,
    headers,
    body: lines.join('\n'),
    tenant: log.organizationId,
  });
};

/** Returns the number of leaves that the witness has seen, if it states it. */
const findSize = ({ status, headers, body }: AnchorResponse): number | undefined =>
  status === 409 && /^text\/x\.tlog\.size\b/i.test(headers['content-type'] ?? '') && /^(0|[1-9]\d{0,14})\n?$/.test(body)
    ? Number(body)
    : undefined;

const readAnswer = ({ witness, nowMs }: Deps, log: SignedLog, said: AnchorResponse): AnchoredCheckpoint => {
  if (said.status !== 200)
    return REASONS[said.status] === undefined ? describeUnexpectedStatus(said.status) : failAnchor(REASONS[said.status] ?? '');
  const cosignature = openCosignature(said.body, log.note, witness.key);
  if (cosignature === undefined) return failAnchor('The response of the witness contains no cosignature of this checkpoint by its key.');
  if (cosignature.unixSeconds > nowMs() / 1_000 + LIMITS.anchors.witnessSkewSeconds)
    return failAnchor('The time of the cosignature of the witness is in the future.');
  return { kind: 'placed', cosignature: cosignature.line };
};

/**
 * A witness (C2SP tlog-witness): it signs a checkpoint after verifying that the tree extends the one that it signed before. It states that
 * one itself, independent of this database, so that a rollback is noticed.
 */
export const newWitnessAnchor = (name: string, deps: Deps): Anchor => ({
  name,
  place: async (log) => {
    let earlier = Math.min(log.anchored, log.size);
    let said = await submit(deps, log, earlier);
    const has = isAnswer(said) ? findSize(said) : undefined;
    if (has !== undefined && has > log.size)
      return conflictAnchor(`The witness has signed a tree of ${has} leaves, but the log has ${log.size}: it was rolled back.`);
    if (has !== undefined && has !== earlier) {
      earlier = has;
      said = await submit(deps, log, earlier);
    }
    if (!isAnswer(said)) return said;
    const isAnother = said.status === 422 || (said.status === 409 && findSize(said) === earlier);
    if (isAnother) return conflictAnchor(`The witness has signed a different tree with ${earlier} leaves: the log was rewritten.`);
    return readAnswer(deps, log, said);
  },
});
