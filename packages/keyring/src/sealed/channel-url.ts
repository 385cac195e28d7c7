import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from './envelope.ts';

type Place = { readonly organization_id: string; readonly id: string };

const getPlace = ({ organization_id, id }: Place): string => `notification_channels/${organization_id}/${id}/url`;

/** Seals the incoming-webhook URL of a channel with its organization's data key, bound to its row. */
export const sealChannelUrl = (dataKey: KeyObject, url: string, place: Place): Buffer =>
  sealEnvelope(dataKey, Buffer.from(url, 'utf8'), getPlace(place));

/** Throws a CredentialKeyError if it was sealed for another place or key. */
export const openChannelUrl = (dataKey: KeyObject, sealed: Uint8Array, place: Place): string =>
  openEnvelope(dataKey, sealed, getPlace(place)).toString('utf8');
