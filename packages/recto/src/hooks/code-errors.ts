import { FatalError } from '../base/fatal-error.ts';
import { type DefinitionFault, faultText } from '../definition/definition-fault.ts';

/** All that is wrong with the hooks, routes and jobs of a deployment. */
export class CodeErrors extends FatalError {
  readonly faults: readonly DefinitionFault[];

  constructor(faults: readonly DefinitionFault[]) {
    const count = faults.length === 1 ? 'One error' : `${faults.length} errors`;
    super(`${count} in hooks, routes and jobs:\n${faults.map(faultText).join('\n')}`);
    this.name = 'CodeErrors';
    this.faults = faults;
  }
}
