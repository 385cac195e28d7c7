import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, jsonObject } from '../rows/schema.ts';
import { PolicyRule, PolicyTestCase } from './language.ts';
import { onPolicy } from './versions.ts';

export const PolicyTemplate = closedObject({
  id: Type.String({ description: 'Value of `template` for createPolicy.' }),
  name: Type.String(),
  description: Type.String(),
  parameters: Type.Array(
    closedObject({
      name: Type.String(),
      sentence: Type.String(),
      schema: jsonObject('JSON Schema of the value.'),
      default: Type.Unknown({ description: 'Value that is used in the returned rules and tests.' }),
      pointers: Type.Array(Type.String(), {
        description: 'RFC 6901 pointers to all positions in the rules of the template that contain the value.',
      }),
    }),
    { description: 'Parameters of the template, for `values` of createPolicy.' },
  ),
  rules: Type.Array(PolicyRule),
  tests: Type.Array(PolicyTestCase),
});

export const policyTemplateEndpoints = {
  listPolicyTemplates: defineEndpoint({
    ...onPolicy({
      method: 'GET',
      path: '/v1/policies/templates',
      summary: 'List policy templates, each with passing tests.',
      permissions: ['policy:read'],
    }),
    query: boundedListQuery,
    result: Type.Array(PolicyTemplate),
    emits: [],
    refuses: [],
  }),
};
