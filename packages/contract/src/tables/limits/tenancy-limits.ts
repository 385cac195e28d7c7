/** How many of each an organization makes, archived ones among them: they are listed whole, and never removed. */
export const TENANCY_LIMITS = {
  workspaces: { perOrganizationMax: 200 },
  environments: { perOrganizationMax: 1_000 },
} as const;
