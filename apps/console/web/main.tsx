import './style.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './page.tsx';
import { THEME } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no place for its content');

// Variables and classes are in the style sheet: a policy without inline styles would keep them from being written into the page.
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={THEME} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <Page />
    </MantineProvider>
  </StrictMode>,
);
