import type { NounFacts } from '../../tables/noun-facts.ts';

export const scimNouns = {
  directory_group: {
    idPrefix: 'grp',
    table: 'scim_groups',
    parameters: { directoryGroupId: { noun: 'group' } },
    words: { schemaUrn: 'schema', resourceTypeName: 'resource type' },
    events: {
      'scim.configuration_updated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The provisioning of members from a directory was changed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
