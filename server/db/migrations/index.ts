import type { Migration } from 'kysely'
import * as accounts from './0001-accounts.ts'
import * as billing from './0002-billing.ts'
import * as network from './0003-network.ts'
import * as posts from './0004-posts.ts'
import * as auctions from './0005-auctions.ts'
import * as deals from './0006-deals.ts'
import * as messaging from './0007-messaging.ts'
import * as operations from './0008-operations.ts'
import * as backgroundWork from './0009-background-work.ts'
import * as postsAndFigures from './0012-posts-and-figures.ts'
import * as accessAndTrust from './0013-access-and-trust.ts'
import * as operator from './0014-operator.ts'
import * as demoDirector from './0015-demo-director.ts'
import * as dealerFile from './0016-dealer-file.ts'
import * as joining from './0017-joining.ts'
import * as secondFactor from './0018-second-factor.ts'
import * as personalData from './0019-personal-data.ts'
import * as pictures from './0021-pictures.ts'
import * as dealPipeline from './0022-deal-pipeline.ts'
import * as queueAlarms from './0025-queue-alarms.ts'
import * as lane from './0026-lane.ts'
import * as find from './0027-find.ts'
import * as wanted from './0028-wanted.ts'
import * as feesAndFlags from './0029-fees-and-flags.ts'
import * as wantedAnswers from './0030-wanted-answers.ts'
import * as flaggedOrders from './0031-flagged-orders.ts'
import * as watchUnstated from './0032-watch-unstated.ts'
import * as pushedAlone from './0033-pushed-alone.ts'
import * as openedByBoth from './0034-opened-by-both.ts'
import * as paperContent from './0035-paper-content.ts'
import * as findWalk from './0036-find-walk.ts'
import * as offersOutlive from './0037-offers-outlive.ts'
import * as savedMeant from './0038-saved-meant.ts'
import * as confirmedOnly from './0041-confirmed-only.ts'
import * as wordsInUse from './0043-words-in-use.ts'
import * as networkRules from './0045-network-rules.ts'
import * as proof from './0046-proof.ts'
import * as sheetSummary from './0048-sheet-summary.ts'
import * as heldSheets from './0049-held-sheets.ts'
import * as push from './0051-push.ts'
import * as deletedImports from './0052-deleted-imports.ts'
import * as pushFailures from './0053-push-failures.ts'
import * as personalComments from './0054-personal-comments.ts'

/** All migrations in order. Never change what a merged one does. 0001 to 0008 create the schema of the first release; later ones only add. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-billing': billing,
  '0003-network': network,
  '0004-posts': posts,
  '0005-auctions': auctions,
  '0006-deals': deals,
  '0007-messaging': messaging,
  '0008-operations': operations,
  '0009-background-work': backgroundWork,
  '0012-posts-and-figures': postsAndFigures,
  '0013-access-and-trust': accessAndTrust,
  '0014-operator': operator,
  '0015-demo-director': demoDirector,
  '0016-dealer-file': dealerFile,
  '0017-joining': joining,
  '0018-second-factor': secondFactor,
  '0019-personal-data': personalData,
  '0021-pictures': pictures,
  '0022-deal-pipeline': dealPipeline,
  '0025-queue-alarms': queueAlarms,
  '0026-lane': lane,
  '0027-find': find,
  '0028-wanted': wanted,
  '0029-fees-and-flags': feesAndFlags,
  '0030-wanted-answers': wantedAnswers,
  '0031-flagged-orders': flaggedOrders,
  '0032-watch-unstated': watchUnstated,
  '0033-pushed-alone': pushedAlone,
  '0034-opened-by-both': openedByBoth,
  '0035-paper-content': paperContent,
  '0036-find-walk': findWalk,
  '0037-offers-outlive': offersOutlive,
  '0038-saved-meant': savedMeant,
  '0041-confirmed-only': confirmedOnly,
  '0043-words-in-use': wordsInUse,
  '0045-network-rules': networkRules,
  '0046-proof': proof,
  '0048-sheet-summary': sheetSummary,
  '0049-held-sheets': heldSheets,
  '0051-push': push,
  '0052-deleted-imports': deletedImports,
  '0053-push-failures': pushFailures,
  '0054-personal-comments': personalComments,
}
