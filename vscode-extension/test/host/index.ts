/** Runs the tests inside the extension host: VS Code calls `run`, and takes a rejection for a failure. */
import Mocha from 'mocha';
import { defineTests } from './tests';

export function run(): Promise<void> {
    const mocha = new Mocha({ ui: 'bdd', timeout: 90_000, reporter: 'spec', color: false, bail: false });
    mocha.suite.emit('pre-require', globalThis, '', mocha);
    defineTests();
    return new Promise((resolve, reject) => {
        mocha.run((failures) => (failures ? reject(new Error(`${failures} failed`)) : resolve()));
    });
}
