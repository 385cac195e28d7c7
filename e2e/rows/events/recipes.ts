import type { Merged, NounTests } from '../../nouns/noun-tests.ts';
import { type EachNoun, NOUN_TESTS } from '../../nouns/nouns.ts';
import type { ChangingOperation, Play, Recipes } from '../../nouns/scene/play.ts';
import type { NounScene } from '../../nouns/scene/scene.ts';

type NounRecipes<Noun> = Noun extends { readonly recipes: infer Each } ? Each : never;

const tests: readonly NounTests[] = NOUN_TESTS;

/** Every operation that changes something, by name: one without a recipe in its noun does not compile. */
export const RECIPES: Recipes = Object.assign({}, ...tests.map(({ recipes }) => recipes)) as Merged<NounRecipes<EachNoun>>;

export type AnyRecipe = readonly [name: ChangingOperation, recipe: (scene: NounScene) => Promise<readonly Play[]>];

/** The recipes as a list in order. */
export const EACH_RECIPE = Object.entries(RECIPES) as unknown as readonly AnyRecipe[];
