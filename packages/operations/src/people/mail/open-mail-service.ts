import type { KeyObject } from 'node:crypto';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { MailService } from './mail-service.ts';

type MailDeskOptions = {
  readonly kind: MailService['kind'];
  readonly masterKey: KeyObject;
  /** Returns the public address of the control plane. */
  readonly service: () => string;
};

/** Opens the outbox for changes that send mails. */
export const openMailOutbox = ({ kind, masterKey, service }: MailDeskOptions): MailService => ({
  kind,
  sealingKey: deriveKey(masterKey, 'mail-sealing'),
  digestKey: deriveKey(masterKey, 'address-digests'),
  service,
});
