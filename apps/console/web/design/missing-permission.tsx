import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Why something that others find here is not there. */
export const MissingPermission = ({ needs, does }: { readonly needs: string; readonly does: string }): ReactNode => (
  <Text size="sm">
    You can {does}: it needs the permission <code>{needs}</code>, which your role does not have.
  </Text>
);
