import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import { newTextRecords, type TextRecords } from '@svc/egress/names/text-records.ts';
import { openEnvelope, sealEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { type Discover, newDiscover } from './discover.ts';

type Place = { readonly organization_id: string; readonly id: string };

/** External dependencies of single sign-on. */
export type Sso = {
  readonly egress: Egress;
  readonly discover: Discover;
  readonly textRecords: TextRecords;
  /** True if connections may use SAML. */
  readonly saml: boolean;
  readonly seal: (secret: string, place: Place) => Buffer;
  readonly open: (sealed: Buffer, place: Place) => string;
  /** Seals an answer that waits for the browser which began the attempt. */
  readonly sealAnswer: (answer: string, stateHash: Buffer) => Buffer;
  readonly openAnswer: (sealed: Buffer, stateHash: Buffer) => string;
  readonly close: () => Promise<void>;
};

export type SsoSettings = {
  readonly timeoutMs: number;
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  readonly sealingKey: KeyObject;
  readonly saml: boolean;
};

const getPlace = ({ organization_id, id }: Place): string => `sso_connections/${organization_id}/${id}/client_secret`;

const getAnswer = (stateHash: Buffer): string => `sso_attempts/${stateHash.toString('hex')}/answer`;

/**
 * Opens single sign-on. Organizations choose providers, so they are called like downstreams: only public addresses unless the operator
 * allows others.
 */
export const openSso = ({ timeoutMs, allowCidrs, nameServers, sealingKey, saml }: SsoSettings): Sso => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs,
    nameServers,
    timeoutMs: Math.min(timeoutMs, LIMITS.sso.requestMs),
    responseMaxBytes: LIMITS.sso.responseBytesMax,
    readsAtOnce: true,
  });
  return {
    egress,
    discover: newDiscover(egress),
    textRecords: newTextRecords(nameServers),
    saml,
    seal: (secret, place) => sealEnvelope(sealingKey, Buffer.from(secret, 'utf8'), getPlace(place)),
    open: (sealed, place) => openEnvelope(sealingKey, sealed, getPlace(place)).toString('utf8'),
    sealAnswer: (answer, stateHash) => sealEnvelope(sealingKey, Buffer.from(answer, 'utf8'), getAnswer(stateHash)),
    openAnswer: (sealed, stateHash) => openEnvelope(sealingKey, sealed, getAnswer(stateHash)).toString('utf8'),
    close: egress.close,
  };
};
