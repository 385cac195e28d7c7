import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import { newTextRecords, type TextRecords } from '@svc/egress/names/text-records.ts';
import { openWith, sealWith } from '@svc/keyring/sealed/envelope.ts';
import { type Discover, newDiscover } from './discover.ts';

type Place = { readonly organization_id: string; readonly id: string };

/** What single sign-on needs of the world. */
export type Sso = {
  readonly egress: Egress;
  readonly discover: Discover;
  readonly textRecords: TextRecords;
  readonly seal: (secret: string, place: Place) => Buffer;
  readonly open: (sealed: Buffer, place: Place) => string;
  readonly close: () => Promise<void>;
};

export type SsoSettings = {
  readonly timeoutMs: number;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  readonly sealingKey: KeyObject;
};

const placeOf = ({ organization_id, id }: Place): string => `sso_connections/${organization_id}/${id}/client_secret`;

/** Providers are chosen by organizations, so they are asked as downstreams are: never at an address that is not public, unless the operator allows it. */
export const openSso = ({ timeoutMs, allowCidrs, nameServers, sealingKey }: SsoSettings): Sso => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs,
    nameServers,
    timeoutMs: Math.min(timeoutMs, LIMITS.sso.requestMs),
    responseMaxBytes: LIMITS.sso.answerBytesMax,
    readsAtOnce: true,
  });
  return {
    egress,
    discover: newDiscover(egress),
    textRecords: newTextRecords(nameServers),
    seal: (secret, place) => sealWith(sealingKey, Buffer.from(secret, 'utf8'), placeOf(place)),
    open: (sealed, place) => openWith(sealingKey, sealed, placeOf(place)).toString('utf8'),
    close: egress.close,
  };
};
