import { actionRecipes } from './action-recipes.ts';
import { agentRecipes } from './agent-recipes.ts';
import { approvalRecipes } from './approval-recipes.ts';
import { auditRecipes } from './audit-recipes.ts';
import { credentialRecipes } from './credential-recipes.ts';
import { delegationRecipes } from './delegation-recipes.ts';
import { factorRecipes } from './factor-recipes.ts';
import { memberRecipes } from './member-recipes.ts';
import { notificationRecipes } from './notification-recipes.ts';
import { peopleRecipes } from './people-recipes.ts';
import { placeRecipes } from './place-recipes.ts';
import type { ChangingOperation, Play, Recipes } from './play.ts';
import { ruleRecipes } from './rule-recipes.ts';
import type { Scene } from './scene.ts';
import { scimRecipes } from './scim-recipes.ts';
import { ssoRecipes } from './sso-recipes.ts';
import { storedCredentialRecipes } from './stored-credential-recipes.ts';
import { terminalRecipes } from './terminal-recipes.ts';
import { toolImportRecipes } from './tool-import-recipes.ts';
import { webhookRecipes } from './webhook-recipes.ts';

/** Every operation that changes something, by its name: one without a recipe does not compile. The end of an agent comes last. */
export const RECIPES: Recipes = {
  ...peopleRecipes,
  ...auditRecipes,
  ...ssoRecipes,
  ...scimRecipes,
  ...terminalRecipes,
  ...memberRecipes,
  ...terminalRecipes,
  ...factorRecipes,
  ...credentialRecipes,
  ...storedCredentialRecipes,
  ...placeRecipes,
  ...ruleRecipes,
  ...toolImportRecipes,
  ...delegationRecipes,
  ...actionRecipes,
  ...approvalRecipes,
  ...webhookRecipes,
  ...notificationRecipes,
  ...agentRecipes,
};

export type AnyRecipe = readonly [name: ChangingOperation, recipe: (scene: Scene) => Promise<readonly Play[]>];

/** The same as a list, in its order. */
export const EACH_RECIPE = Object.entries(RECIPES) as unknown as readonly AnyRecipe[];
