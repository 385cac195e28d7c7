import type { KeyObject } from 'node:crypto';
import type { DeliverySignature } from '@svc/domain/events/webhooks/signed-text.ts';
import { newWebhookSigner, openWebhookSecret, type WebhookSigner } from '@svc/keyring/tokens/webhook-secret.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';

const KNOWN_MAX = 1_000;

type Signed = Pick<ClaimedDelivery, 'organization_id' | 'subscription_id' | 'sealed_secret' | 'sealed_previous_secret'>;

/** Signs with each secret of a subscription, the newest first; opened secrets are cached while they are in use. */
export const newSignatures = (sealingKey: KeyObject) => {
  const known = new Map<string, WebhookSigner>();
  const getSigner = ({ organization_id, subscription_id }: Signed, sealed: Buffer): WebhookSigner => {
    const key = `${organization_id} ${subscription_id} ${sealed.toString('latin1')}`;
    const signer = known.get(key) ?? newWebhookSigner(openWebhookSecret(sealingKey, sealed, { organization_id, id: subscription_id }));
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, signer);
    return signer;
  };
  return (delivery: Signed, own: string, standard: string): readonly DeliverySignature[] => {
    const sealed = [delivery.sealed_secret, ...(delivery.sealed_previous_secret === null ? [] : [delivery.sealed_previous_secret])];
    return sealed.map((each) => getSigner(delivery, each)(own, standard));
  };
};

export type Signatures = ReturnType<typeof newSignatures>;
