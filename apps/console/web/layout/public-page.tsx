import { Container, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

type FrameProps = { readonly title: string; readonly nav?: ReactNode; readonly children: ReactNode };

/** One page: what it is called, and what is on it. */
export const Frame = ({ title, nav, children }: FrameProps): ReactNode => {
  useEffect(() => {
    document.title = `${title} · Agent Governance Service`;
  }, [title]);
  return (
    <Container size={nav ? 'sm' : 'xs'} py="xl">
      {nav ? (
        <a className="skip" href="#content">
          Skip to the content
        </a>
      ) : null}
      <Text component="p" fw={600} mb="sm">
        Agent Governance Service
      </Text>
      {nav}
      <Paper component="main" id="content" tabIndex={-1} withBorder p="lg" radius="md">
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
