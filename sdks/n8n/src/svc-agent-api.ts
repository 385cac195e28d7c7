/** The identity of an agent at a gateway. */
export class SvcAgentApi {
  name = 'svcAgentApi';
  displayName = 'Agent governance';
  properties = [
    {
      displayName: 'Gateway URL',
      name: 'gatewayUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://gateway.example.com',
    },
    { displayName: 'Agent ID', name: 'agentId', type: 'string', required: true, default: '', placeholder: 'agt_…' },
    { displayName: 'Key generation', name: 'keyGeneration', type: 'number', default: 1 },
    { displayName: 'Private key', name: 'privateKey', type: 'string', typeOptions: { password: true }, required: true, default: '' },
  ];
}
