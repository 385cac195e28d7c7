import { REACHES, SIDE_EFFECTS } from '@svc/contract/risk/flow-words.ts';
import type { FieldRow } from './field-row.ts';

const label = { type: 'string_list', element_pattern: '^[a-z][a-z0-9_]{0,31}$' } as const;

/** Fields about the data that an agent has read, and where a request could send it. */
export const SESSION_FIELDS: readonly FieldRow[] = [
  {
    name: 'session.labels',
    ...label,
    example: 'untrusted_content',
    sentence: 'Labels of the results that the agent has received in its flow context.',
    read: (context) => context.session?.labels,
  },
  {
    name: 'session.labels_leaving',
    ...label,
    example: 'personal_data',
    sentence:
      'Labels of confidentiality that the request could carry to a destination they did not come from and to people they are not about.',
    read: (context) => context.session?.labels_leaving,
  },
  {
    name: 'session.sources',
    type: 'string_list',
    example: 'crm.read',
    sentence: 'Tools and hosts that the labels came from.',
    read: (context) => context.session?.sources,
  },
  {
    name: 'session.tools_used',
    type: 'string_list',
    example: 'vault.read',
    sentence: 'Tools that were used in the flow context since a rule in force reads this field.',
    partial: ({ session }) => session?.is_tools_partial === true,
    read: (context) => context.session?.tools_used,
  },
  {
    name: 'session.minutes',
    type: 'integer',
    unit: 'minutes',
    min: 0,
    example: 30,
    sentence: 'Minutes since the flow context received its first label.',
    read: (context) => context.session?.minutes,
  },
  {
    name: 'tool.reach',
    type: 'enum',
    values: REACHES,
    example: 'EXTERNAL',
    sentence: 'Who receives what the tool is given: the organization, others, or everyone.',
    read: (context) => context.tool?.reach,
  },
  {
    name: 'tool.labels',
    ...label,
    example: 'secret',
    sentence: 'Labels of the results of the tool, as declared.',
    read: (context) => context.tool?.labels,
  },
  {
    name: 'tool.side_effects',
    type: 'enum',
    values: SIDE_EFFECTS,
    example: 'NONE',
    sentence: 'Declared side effects of the tool.',
    read: (context) => context.tool?.side_effects,
  },
  {
    name: 'destination.internal',
    type: 'boolean',
    example: false,
    sentence: 'True if the destination belongs to the organization, by its risk settings.',
    read: (context) => context.destination?.internal,
  },
];
