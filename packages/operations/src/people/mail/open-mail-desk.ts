import type { KeyObject } from 'node:crypto';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { MailDesk } from './mail-desk.ts';

type MailDeskOptions = {
  readonly kind: MailDesk['kind'];
  readonly masterKey: KeyObject;
  /** Returns the public address of the control plane. */
  readonly service: () => string;
};

/** Opens the outbox for changes that send mails. */
export const openMailOutbox = ({ kind, masterKey, service }: MailDeskOptions): MailDesk => ({
  kind,
  sealingKey: deriveKey(masterKey, 'mail-sealing'),
  digestKey: deriveKey(masterKey, 'address-digests'),
  service,
});
