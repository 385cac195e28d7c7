const makeShown = (operation: string) => ({ show: { operation: [operation] } });

/** The description of the node, as n8n reads it. */
export const DESCRIPTION = {
  displayName: 'Governed action',
  name: 'svcAction',
  group: ['transform'],
  version: 1,
  subtitle: '={{$parameter["operation"] + ": " + $parameter["tool"]}}',
  description: 'Asks the agent governance gateway before an action.',
  defaults: { name: 'Governed action' },
  inputs: ['main'],
  outputs: ['main', 'main', 'main'],
  outputNames: ['Refused', 'Waiting', 'Permitted'],
  usableAsTool: true,
  credentials: [{ name: 'svcAgentApi', required: true }],
  webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '', restartWebhook: true }],
  properties: [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      options: [
        { name: 'Act', value: 'act', action: 'Ask for an action' },
        { name: 'Collect', value: 'collect', action: 'Ask for an action whose approval was waited for' },
      ],
      default: 'act',
    },
    { displayName: 'Tool', name: 'tool', type: 'string', required: true, default: '' },
    { displayName: 'Parameters', name: 'parameters', type: 'json', default: '{}' },
    { displayName: 'Amount', name: 'amount', type: 'number', default: 0, description: 'Minor units of the currency. 0: none.' },
    { displayName: 'Currency', name: 'currency', type: 'string', default: '', placeholder: 'EUR' },
    { displayName: 'Delegation ID', name: 'delegationId', type: 'string', default: '' },
    {
      displayName: 'Wait for approval (seconds)',
      name: 'waitSeconds',
      type: 'number',
      typeOptions: { minValue: 0, maxValue: 60 },
      default: 0,
      displayOptions: makeShown('act'),
    },
    {
      displayName: 'While a person decides',
      name: 'waitMode',
      type: 'options',
      options: [
        { name: 'Send the item to Waiting', value: 'output' },
        { name: 'Suspend the execution', value: 'suspend', description: 'Until its resume address is called and the gateway has decided.' },
      ],
      default: 'output',
      displayOptions: makeShown('act'),
    },
    {
      displayName: 'Approval ID',
      name: 'approvalId',
      type: 'string',
      required: true,
      default: '={{ $json.svc.approval_id }}',
      displayOptions: makeShown('collect'),
    },
  ],
} as const;
