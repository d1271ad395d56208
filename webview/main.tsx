import 'uplot/dist/uPlot.min.css';
import './styles.css';
import { render } from 'preact';
import { registerToolkit } from './controls/toolkit';
import { start } from './state/panel';
import { watchTheme } from './theme/palette';
import { App } from './views';

registerToolkit();
watchTheme();
const root = document.getElementById('root');
if (root) render(<App />, root);
start();
