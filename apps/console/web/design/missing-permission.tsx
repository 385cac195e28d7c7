import type { ReactNode } from 'react';
import { Text } from './kit.tsx';

/** Why a button that others find here is missing. */
export const MissingPermission = ({ needs, to }: { readonly needs: string; readonly to: string }): ReactNode => (
  <Text size="sm" c="dimmed">
    You need the permission <code>{needs}</code> to {to}.
  </Text>
);
