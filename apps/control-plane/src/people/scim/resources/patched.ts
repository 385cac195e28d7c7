import { hasInheritedName } from '@svc/domain/people/scim/inherited-name.ts';
import { patchGroup } from '@svc/domain/people/scim/patch-group.ts';
import { patchUser } from '@svc/domain/people/scim/patch-user.ts';
import { isScimFault, type ScimFault } from '@svc/domain/people/scim/read-operations.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import type { DirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import SCIMMY from 'scimmy';
import { readGroup } from './read-group.ts';
import { readUser } from './read-user.ts';

type Told = Readonly<Record<string, unknown>>;
type Patch = { readonly Operations: readonly unknown[]; readonly schemas: readonly string[] };

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Attributes of the schema of a user, stored or not. */
const USER_ATTRIBUTES: ReadonlySet<string> = new Set(
  SCIMMY.Schemas.User.definition.attributes.flatMap((each) => ('name' in each ? [each.name.toLowerCase()] : [])),
);

const getRefusal = ({ scim_type, says }: ScimFault) => findScimFault(scim_type, says);

const patchFault = ({ Operations, schemas }: Patch) => {
  if (schemas.length !== 1 || schemas[0] !== PATCH_SCHEMA)
    return findScimFault('invalidSyntax', `The schema of a patch is ${PATCH_SCHEMA}.`);
  return hasInheritedName(Operations) ? findScimFault('invalidPath', 'An operation names what is no attribute.') : undefined;
};

/** Applies the operations of a patch (RFC 7644, section 3.5.2) to a user; stores nothing. */
export const applyUserPatch = async (told: Told, body: Patch) => {
  const fault = patchFault(body);
  if (fault) return fault;
  const after = patchUser(told, body.Operations, USER_ATTRIBUTES);
  return isScimFault(after) ? getRefusal(after) : readUser(after);
};

/** Does the same for a group. */
export const applyGroupPatch = (group: DirectoryGroup, body: Patch) => {
  const fault = patchFault(body);
  if (fault) return fault;
  const after = patchGroup({ ...group, members: group.members.map(({ id }) => id) }, body.Operations);
  if (isScimFault(after)) return getRefusal(after);
  const { display_name, external_id, members } = after;
  return readGroup({ displayName: display_name, externalId: external_id, members: members.map((value) => ({ value })) });
};
