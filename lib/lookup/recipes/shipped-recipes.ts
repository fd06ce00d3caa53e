import { GITHUB_ISSUE_BY_KEY, GITHUB_ISSUE_DELETED, GITHUB_ISSUE_STATE } from './github';
import { JIRA_ISSUE_STATUS } from './jira';
import { SENDGRID_MESSAGE } from './sendgrid';
import type { ShippedRecipe } from './shipped-recipe';
import { STRIPE_PAYMENT_INTENT, STRIPE_REFUND } from './stripe';

/** Every recipe that the product brings along, each proven against the system's published description. */
export function shippedRecipes(): readonly ShippedRecipe[] {
  return [
    STRIPE_PAYMENT_INTENT,
    STRIPE_REFUND,
    GITHUB_ISSUE_BY_KEY,
    GITHUB_ISSUE_STATE,
    GITHUB_ISSUE_DELETED,
    JIRA_ISSUE_STATUS,
    SENDGRID_MESSAGE,
  ];
}
