import type { DeclarationChange } from './read-change.ts';

/**
 * What a change takes besides tool:update. A tool that does damage could otherwise be made harmless by name first, and whatever is asked of
 * people who touch such tools be gone round; another capability hands the tool to whoever holds that one.
 */
export const needsOf = ({ tool, changes }: DeclarationChange) => ({
  step_up: changes.length > 0 && (tool.dangerous || tool.risk_rating === 'CRITICAL'),
  permissions: changes.some(({ member }) => member === 'required_capability') ? (['agent:manage_capabilities'] as const) : [],
});
