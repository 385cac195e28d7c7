import { Container, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** One page: what it is called, and what is on it. */
export const Frame = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => {
  useEffect(() => {
    document.title = `${title} · Agent Governance Service`;
  }, [title]);
  return (
    <Container component="main" size="xs" py="xl">
      <Text component="p" fw={600} mb="sm">
        Agent Governance Service
      </Text>
      <Paper withBorder p="xl" radius="md">
        <Stack>
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Container>
  );
};
