// Two processes at once that train like plants.cjs, each with values that are not finite at a step of its own.
// argv: the two steps, the number of steps.
const { fork } = require('node:child_process');
const path = require('node:path');

const [one, other, steps] = process.argv.slice(2);
for (const planted of [one, other]) {
  fork(path.join(__dirname, 'plants.cjs'), ['forward', planted, steps]);
}
