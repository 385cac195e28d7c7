import { createTheme, PasswordInput } from '@mantine/core';

export const THEME = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The button that shows a password can be reached by keyboard too (WCAG 2.2, 2.1.1).
    PasswordInput: PasswordInput.extend({ defaultProps: { visibilityToggleFocusable: true } }),
  },
});
