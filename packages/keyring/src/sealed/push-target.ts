import type { KeyObject } from 'node:crypto';
import type { PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';

type Place = { readonly organization_id: string; readonly connection_id: string; readonly id: string };

/** The place that the sealed target of a row is bound to. */
export const getPushTargetPlace = ({ organization_id, connection_id, id }: Place): string =>
  `a2a_push_configs/${organization_id}/${connection_id}/${id}/target`;

export const sealPushTarget = (key: KeyObject, target: PushTarget, place: Place): Buffer =>
  sealEnvelope(key, Buffer.from(JSON.stringify(target), 'utf8'), getPushTargetPlace(place));

/** Throws a CredentialKeyError if it was sealed for another place or key. */
export const openPushTarget = (key: KeyObject, sealed: Uint8Array, place: Place): PushTarget =>
  JSON.parse(openEnvelope(key, sealed, getPushTargetPlace(place)).toString('utf8'));
