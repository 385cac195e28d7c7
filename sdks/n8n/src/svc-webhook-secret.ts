/** The secret that signs the deliveries of a webhook subscription. */
export class SvcWebhookSecret {
  name = 'svcWebhookSecret';
  displayName = 'Agent governance webhook';
  properties = [
    { displayName: 'Signing secret', name: 'secret', type: 'string', typeOptions: { password: true }, required: true, default: '' },
    {
      displayName: 'Previous secret',
      name: 'previousSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Also accepted while the secret is replaced.',
    },
  ];
}
