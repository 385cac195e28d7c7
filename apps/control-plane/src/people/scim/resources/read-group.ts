import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getShortName } from '@svc/domain/people/scim/core-schema.ts';
import { hasInheritedName } from '@svc/domain/people/scim/inherited-name.ts';
import { readMemberIds } from '@svc/domain/people/scim/patch-group.ts';
import { isScimFault } from '@svc/domain/people/scim/read-operations.ts';
import type { ScimGroupInput } from '@svc/operations/people/scim/change-group.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { GROUP_SCHEMA } from './format-resources.ts';
import { hasDuplicateName } from './read-user.ts';

const { groupMembersMax, groupNameCharsMax } = LIMITS.scim;

/** Parses a SCIM group in time linear in its members; returns a SCIM error if it is invalid. Attribute names are case-insensitive. */
export const readGroup = (body: Readonly<Record<string, unknown>>) => {
  if (hasInheritedName(body)) return findScimFault('invalidSyntax', 'The body contains a reserved name that is not an attribute.');
  if (hasDuplicateName(body)) return findScimFault('invalidSyntax', 'The body contains an attribute twice.');
  const attributes = new Map(Object.entries(body).map(([name, value]) => [getShortName(name), value]));
  const [schemas, name, externalId] = [attributes.get('schemas'), attributes.get('displayname'), attributes.get('externalid')];
  if (Array.isArray(schemas) && schemas.length > 0 && !schemas.includes(GROUP_SCHEMA))
    return findScimFault('invalidSyntax', `schemas must contain ${GROUP_SCHEMA}.`);
  if (typeof name !== 'string' || name === '' || name.length > groupNameCharsMax)
    return findScimFault('invalidValue', `displayName must have 1 to ${groupNameCharsMax} characters.`);
  const ids = readMemberIds(attributes.get('members') ?? []);
  if (isScimFault(ids)) return findScimFault(ids.scim_type, ids.says);
  const members = [...new Set(ids)];
  if (members.length > groupMembersMax) return findScimFault('tooMany', `A group has at most ${groupMembersMax} members.`);
  const external_id = typeof externalId === 'string' ? truncateText(externalId, 255) : null;
  return { display_name: name, external_id, members } satisfies ScimGroupInput;
};
