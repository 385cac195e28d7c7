import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoleRecord } from '../roles/role.ts';
import { beyondReach, type GrantorRights, type MemberGrant } from './grant.ts';

const role = (permissions: string[], more: Partial<RoleRecord> = {}): RoleRecord => ({
  id: 'rol_x',
  name: 'x',
  built_in: false,
  permissions,
  ...more,
});
const by = (permissions: string[], more: Partial<GrantorRights> = {}): GrantorRights => ({
  permissions,
  workspace_ids: null,
  is_owner: false,
  is_key: false,
  ...more,
});
const grant = (permissions: string[], workspace_ids: string[] | null = null): MemberGrant => ({ role: role(permissions), workspace_ids });

test('rejects granting a permission that the caller lacks, and names the missing ones', () => {
  assert.equal(beyondReach(by(['a', 'b']), grant(['a'])), undefined);
  assert.deepEqual(beyondReach(by(['a']), grant(['a', 'b', 'c'])), { because: 'PERMISSIONS', permissions: ['b', 'c'] });
});

test("limits grants to the caller's workspaces, and rejects any without one", () => {
  const limited = by(['a'], { workspace_ids: ['x', 'y'] });
  assert.equal(beyondReach(limited, grant(['a'], ['y'])), undefined);
  for (const beyond of [grant(['a']), grant(['a'], ['y', 'z'])]) assert.deepEqual(beyondReach(limited, beyond), { because: 'WORKSPACES' });
  assert.deepEqual(beyondReach(by(['a'], { workspace_ids: [] }), grant(['a'], ['x'])), { because: 'WORKSPACES' });
});

test('lets only an owner with access to the whole organization create and change an owner', () => {
  const owner: MemberGrant = { role: role(['a'], { name: 'owner', built_in: true }), workspace_ids: null };
  assert.equal(beyondReach(by(['a'], { is_owner: true }), owner), undefined);
  for (const other of [by(['a', 'b']), by(['a'], { is_owner: true, workspace_ids: ['x'] })])
    assert.deepEqual(beyondReach(other, owner), { because: 'OWNER' });
  assert.equal(
    beyondReach(by(['a']), { role: role(['a'], { name: 'owner' }), workspace_ids: null }),
    undefined,
    'a role of the organization that is called owner is none',
  );
});
