import type { KeyObject } from 'node:crypto';
import { openWith, sealWith } from './envelope.ts';

type Place = { readonly organization_id: string; readonly id: string };

const placeOf = ({ organization_id, id }: Place): string => `notification_channels/${organization_id}/${id}/url`;

/** Seals the incoming webhook of a channel under its organization's data key, for its row and no other. */
export const sealChannelUrl = (dataKey: KeyObject, url: string, place: Place): Buffer =>
  sealWith(dataKey, Buffer.from(url, 'utf8'), placeOf(place));

/** Throws a CredentialKeyError where it is not what was sealed there. */
export const openChannelUrl = (dataKey: KeyObject, sealed: Uint8Array, place: Place): string =>
  openWith(dataKey, sealed, placeOf(place)).toString('utf8');
