import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getShortName } from '@svc/domain/people/scim/core-schema.ts';
import { holdsInherited } from '@svc/domain/people/scim/inherited-name.ts';
import { memberIds } from '@svc/domain/people/scim/patch-group.ts';
import { isScimFault } from '@svc/domain/people/scim/read-operations.ts';
import type { ScimGroupInput } from '@svc/operations/people/scim/change-group.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { GROUP_SCHEMA } from './format-resources.ts';
import { hasDuplicateName } from './read-user.ts';

const { groupMembersMax, groupNameCharsMax } = LIMITS.scim;

/** Parses a group from a directory in time linear in its members. Attribute names are not case-sensitive. */
export const readGroup = (body: Readonly<Record<string, unknown>>) => {
  if (holdsInherited(body)) return findScimFault('invalidSyntax', 'The body names what is no attribute.');
  if (hasDuplicateName(body)) return findScimFault('invalidSyntax', 'The body names an attribute twice.');
  const said = new Map(Object.entries(body).map(([name, value]) => [getShortName(name), value]));
  const [schemas, name, externalId] = [said.get('schemas'), said.get('displayname'), said.get('externalid')];
  if (Array.isArray(schemas) && schemas.length > 0 && !schemas.includes(GROUP_SCHEMA))
    return findScimFault('invalidSyntax', `The schema of a group is ${GROUP_SCHEMA}.`);
  if (typeof name !== 'string' || name === '' || name.length > groupNameCharsMax)
    return findScimFault('invalidValue', `A group has a displayName of at most ${groupNameCharsMax} characters.`);
  const ids = memberIds(said.get('members') ?? []);
  if (isScimFault(ids)) return findScimFault(ids.scim_type, ids.says);
  const members = [...new Set(ids)];
  if (members.length > groupMembersMax) return findScimFault('tooMany', `A group has at most ${groupMembersMax} members.`);
  const external_id = typeof externalId === 'string' ? truncateText(externalId, 255) : null;
  return { display_name: name, external_id, members } satisfies ScimGroupInput;
};
