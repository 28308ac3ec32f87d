import type { Theme } from 'vitepress';
// The one with fonts loads a megabyte of them; the fonts of the system do.
import DefaultTheme from 'vitepress/theme-without-fonts';
import Landing from './Landing.vue';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Landing', Landing),
} satisfies Theme;
