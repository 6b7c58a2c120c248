// Written by `npm run routes` from the schemas of the server’s routes; `npm run check` compares.
import type { Static } from 'typebox'
import type { SyncHeads } from './events/control.ts'
import type {
  AccessChanged,
  AccountDeletion,
  AccountSecurity,
  ApiKey,
  ChangePassword,
  CreatedApiKey,
  DataExport,
  DemoMail,
  EmailChange,
  ForgotPassword,
  LastDataExport,
  LinkGoogle,
  NewApiKey,
  ResetPassword,
  RevokeKeys,
  Settings,
  SettingsPatch,
  VerifyEmail,
} from './schemas/account.ts'
import type {
  AdminDeal,
  AdminDealsPage,
  AdminOverview,
  AdminUser,
  AdminUsersPage,
  AdmissionVerdict,
  ApiAccess,
  Backup,
  Backups,
  DealerFile,
  Invitation,
  LicenseVerdict,
  NetworkChange,
  NetworkSettings,
  NewDealerNote,
  NewInvitation,
  ProvenNewUser,
  ProvenReason,
  ProvenSuspension,
  ProvenUserChange,
  Retention,
  RetentionState,
  TestMail,
  WithOptionalReason,
  WithReason,
} from './schemas/admin.ts'
import type { Auction, AuctionTerms, EndAuction, NewBid, NewPreset, NewReserve, PlacedBid } from './schemas/auctions.ts'
import type { AuditPage } from './schemas/audit.ts'
import type {
  AuthStatus,
  AuthenticatorCode,
  AuthenticatorSecret,
  JoiningStatus,
  Login,
  NewPasskey,
  PasskeyChange,
  PasskeyOptions,
  PasskeySignIn,
  RecoveryCodes,
  SecondFactorAnswer,
  SecondFactorAsked,
  Setup,
  SignedIn,
  Signup,
  WithProof,
} from './schemas/auth.ts'
import type {
  AddOn,
  AddOnEdit,
  AddOnOrder,
  AdminPricing,
  AuthenticatePayment,
  BillingOverview,
  CardChange,
  ChangePreview,
  ClientSecret,
  CompleteSubscription,
  ConfirmPayment,
  ConfirmSubscription,
  DealerBilling,
  DealerPlanChange,
  MySubscription,
  NewCard,
  NewRefund,
  PaymentConfig,
  PaymentOutcome,
  PlanChange,
  PlanChoice,
  PlanEdit,
  PlanGift,
  ProrationPreview,
  SubscriptionPlan,
} from './schemas/billing.ts'
import type { Comment, CommentPatch, NewComment } from './schemas/comments.ts'
import type { Dashboard, SalesAnalytics, StartSteps } from './schemas/dashboard.ts'
import type {
  ConnectionChange,
  ConnectionRequest,
  CurrentUser,
  DealerProfile,
  DirectoryDealer,
  OwnNetwork,
  OwnProfile,
  ProfilePatch,
  RecommendedDealer,
  VehicleActivity,
} from './schemas/dealers.ts'
import type {
  Deal,
  DealCounts,
  DealDetail,
  DealMileage,
  DealPaper,
  DealPipelinePage,
  NewOffer,
  NewSignature,
  Offer,
  OfferTerms,
} from './schemas/deals.ts'
import type { DemoStepsAnswer } from './schemas/demo.ts'
import type { FindAnswer, FindSince, FindWords } from './schemas/find.ts'
import type { Lane, LaneAll, LanePins, LaneRun, LaneSelling } from './schemas/lane.ts'
import type {
  Chat,
  ChatPatch,
  FoundMessage,
  Message,
  MessagesPage,
  NewMessage,
  OpenChat,
  ReadPointer,
  RecentMessage,
} from './schemas/messaging.ts'
import type { CasesPage, ModerationCase, ModerationDecision, NewReport, ReportReceipt } from './schemas/moderation.ts'
import type { MarkRead, NotificationsPage } from './schemas/notifications.ts'
import type { CompleteProfile, EmailCorrection, OnboardingPatch, OnboardingProgress } from './schemas/onboarding.ts'
import type {
  FailedJobs,
  Incident,
  IncidentChange,
  IncidentInput,
  JobRefs,
  JobsTouched,
  OpsOverview,
  QueueChoice,
  StatusReport,
  SystemHealth,
} from './schemas/ops.ts'
import type { SheetDecision, SheetPreview, SheetPreviewRequest, SheetReport, VinReport } from './schemas/posting.ts'
import type {
  Impressions,
  MarketPosition,
  NewPost,
  OwnReactions,
  Post,
  PostDetail,
  PostPatch,
} from './schemas/posts.ts'
import type { Promotion, PromotionChange, PromotionInput } from './schemas/promotions.ts'
import type { PushDevice, PushDevicePatch, PushState, PushTestSent, RegisterPushDevice } from './schemas/push.ts'
import type { NewReply, NewReview, Review, ReviewsPage } from './schemas/reviews.ts'
import type { NewSavedSearch, SavedSearch, WatchedIds } from './schemas/saved.ts'
import type { Found } from './schemas/search.ts'
import type {
  ContactAnswer,
  ContactEntry,
  ContactHandling,
  ContactMessage,
  ContactPage,
  IssueChange,
  IssueInput,
  IssuePreview,
  ListSubscription,
  NewsletterIssue,
  ReadIssue,
  SubscribersPage,
  TickerLine,
} from './schemas/site.ts'
import type { ObjectStatus, UploadRequest, UploadTicket } from './schemas/uploads.ts'
import type {
  BuyOrder,
  BuyOrderPatch,
  BuyOrders,
  DealersOrders,
  Demand,
  DemandList,
  DemandOffer,
  DemandRequest,
  MatchesSeen,
  NewBuyOrder,
  OrderMatches,
  OrderPreview,
  OrderSearch,
} from './schemas/wanted.ts'

/** Request body and response of each call. `unknown`: not JSON, or JSON without a schema. */
export interface Routes {
  'DELETE /api/account': { body: AccountDeletion; answer: void }
  'DELETE /api/admin/invitations/:id': { answer: void }
  'DELETE /api/admin/newsletter/issues/:id': { answer: void }
  'DELETE /api/admin/promotions/:id': { answer: void }
  'DELETE /api/admin/users/:id': { body: ProvenReason; answer: void }
  'DELETE /api/admin/users/:id/buy-orders/:orderId': { body: Static<typeof WithReason>; answer: DealersOrders }
  'DELETE /api/admin/users/:id/gift': { body: Static<typeof WithReason>; answer: MySubscription }
  'DELETE /api/admin/users/:id/notes/:noteId': { answer: DealerFile }
  'DELETE /api/admin/users/:id/second-factor': { body: ProvenReason; answer: DealerFile }
  'DELETE /api/admin/users/:id/sessions': { body: ProvenReason; answer: DealerFile }
  'DELETE /api/admin/users/:id/sessions/:sessionId': { body: ProvenReason; answer: DealerFile }
  'DELETE /api/api-keys': { answer: void }
  'DELETE /api/api-keys/:id': { answer: void }
  'DELETE /api/auth/authenticator': { body: WithProof; answer: void }
  'DELETE /api/auth/google': { body: WithProof; answer: void }
  'DELETE /api/auth/passkeys/:id': { body: WithProof; answer: void }
  'DELETE /api/auth/second-factor': { answer: void }
  'DELETE /api/auth/sessions': { answer: void }
  'DELETE /api/auth/sessions/:id': { answer: void }
  'DELETE /api/dealers/:id/connect': { answer: ConnectionChange }
  'DELETE /api/inventory/:id': { answer: void }
  'DELETE /api/inventory/:id/comments/:commentId': { answer: void }
  'DELETE /api/inventory/:id/comments/:commentId/attachment': { answer: void }
  'DELETE /api/inventory/:id/preset': { answer: void }
  'DELETE /api/inventory/:id/reactions/:kind': { answer: void }
  'DELETE /api/inventory/:id/sheet/columns': { answer: SheetReport }
  'DELETE /api/inventory/:id/watch': { answer: void }
  'DELETE /api/my-subscription/add-ons/:id': { answer: MySubscription }
  'DELETE /api/profile/avatar': { answer: void }
  'DELETE /api/push/devices/:id': { answer: void }
  'DELETE /api/saved-searches/:id': { answer: void }
  'GET /api/account/export': { answer: LastDataExport }
  'GET /api/account/export/:id': { answer: unknown }
  'GET /api/activity-ticker': { answer: TickerLine[] }
  'GET /api/add-ons': { answer: AddOn[] }
  'GET /api/admin/audit': { answer: AuditPage }
  'GET /api/admin/backups': { answer: Backups }
  'GET /api/admin/contact-messages': { answer: ContactPage }
  'GET /api/admin/deals': { answer: AdminDealsPage }
  'GET /api/admin/incidents': { answer: Incident[] }
  'GET /api/admin/invitations': { answer: Invitation[] }
  'GET /api/admin/moderation': { answer: CasesPage }
  'GET /api/admin/network': { answer: NetworkSettings }
  'GET /api/admin/newsletter/issues': { answer: NewsletterIssue[] }
  'GET /api/admin/newsletter/issues/:id/preview': { answer: IssuePreview }
  'GET /api/admin/newsletter/subscribers': { answer: SubscribersPage }
  'GET /api/admin/overview': { answer: AdminOverview }
  'GET /api/admin/pricing': { answer: AdminPricing }
  'GET /api/admin/promotions': { answer: Promotion[] }
  'GET /api/admin/retention': { answer: RetentionState }
  'GET /api/admin/users': { answer: AdminUsersPage }
  'GET /api/admin/users/:id': { answer: AdminUser }
  'GET /api/admin/users/:id/billing': { answer: DealerBilling }
  'GET /api/admin/users/:id/buy-orders': { answer: DealersOrders }
  'GET /api/admin/users/:id/file': { answer: DealerFile }
  'GET /api/admin/users/export.csv': { answer: unknown }
  'GET /api/api-keys': { answer: ApiKey[] }
  'GET /api/auth/google': { answer: unknown }
  'GET /api/auth/google/callback': { answer: unknown }
  'GET /api/auth/joining': { answer: JoiningStatus }
  'GET /api/auth/me': { answer: CurrentUser }
  'GET /api/auth/security': { answer: AccountSecurity }
  'GET /api/auth/status': { answer: AuthStatus }
  'GET /api/billing': { answer: BillingOverview }
  'GET /api/buy-orders': { answer: BuyOrders }
  'GET /api/buy-orders/matches': { answer: OrderMatches }
  'GET /api/chats': { answer: Chat[] }
  'GET /api/chats/:id': { answer: Chat }
  'GET /api/chats/:id/messages': { answer: MessagesPage }
  'GET /api/chats/search': { answer: FoundMessage[] }
  'GET /api/connections': { answer: OwnNetwork }
  'GET /api/connections/requests/:userId': { answer: ConnectionRequest[] }
  'GET /api/dashboard': { answer: Dashboard }
  'GET /api/dashboard/sales/:kind': { answer: SalesAnalytics }
  'GET /api/dashboard/start': { answer: StartSteps }
  'GET /api/deal/:id': { answer: DealDetail }
  'GET /api/deal/:id/documents/:documentId': { answer: unknown }
  'GET /api/deal/:id/documents/:documentId/text': { answer: DealPaper }
  'GET /api/dealers': { answer: DirectoryDealer[] }
  'GET /api/dealers/:id': { answer: DealerProfile }
  'GET /api/dealers/:id/reviews': { answer: ReviewsPage }
  'GET /api/dealers/activity': { answer: VehicleActivity }
  'GET /api/dealers/recommended': { answer: RecommendedDealer[] }
  'GET /api/deals': { answer: Deal[] }
  'GET /api/deals/:userId': { answer: Deal[] }
  'GET /api/deals/counts': { answer: DealCounts }
  'GET /api/deals/pipeline': { answer: DealPipelinePage }
  'GET /api/demand/list': { answer: DemandList }
  'GET /api/demo/mail': { answer: DemoMail[] }
  'GET /api/demo/steps': { answer: Static<typeof DemoStepsAnswer> }
  'GET /api/find': { answer: FindAnswer }
  'GET /api/find/since': { answer: FindSince }
  'GET /api/find/words': { answer: FindWords }
  'GET /api/heads': { answer: SyncHeads }
  'GET /api/inventory': { answer: Post[] }
  'GET /api/inventory/:id': { answer: PostDetail }
  'GET /api/inventory/:id/auction': { answer: Auction }
  'GET /api/inventory/:id/comments': { answer: Comment[] }
  'GET /api/inventory/:id/market': { answer: MarketPosition[] }
  'GET /api/inventory/:id/sheet': { answer: SheetReport }
  'GET /api/inventory/reactions': { answer: OwnReactions }
  'GET /api/lane': { answer: Lane }
  'GET /api/lane/all': { answer: LaneAll }
  'GET /api/lane/run': { answer: LaneRun }
  'GET /api/lane/selling': { answer: LaneSelling }
  'GET /api/lists/:list/confirm': { answer: unknown }
  'GET /api/lists/:list/leave': { answer: unknown }
  'GET /api/messages': { answer: RecentMessage[] }
  'GET /api/my-subscription': { answer: MySubscription }
  'GET /api/notifications': { answer: NotificationsPage }
  'GET /api/objects/:id': { answer: unknown }
  'GET /api/objects/:id/status': { answer: ObjectStatus }
  'GET /api/offers': { answer: Offer[] }
  'GET /api/offers/terms': { answer: OfferTerms }
  'GET /api/onboarding': { answer: OnboardingProgress }
  'GET /api/ops/health': { answer: SystemHealth }
  'GET /api/ops/jobs/failed': { answer: FailedJobs }
  'GET /api/ops/queues': { answer: OpsOverview }
  'GET /api/payment-config': { answer: PaymentConfig }
  'GET /api/profile': { answer: OwnProfile }
  'GET /api/promotions': { answer: Promotion[] }
  'GET /api/push': { answer: PushState }
  'GET /api/saved-searches': { answer: SavedSearch[] }
  'GET /api/search': { answer: Found }
  'GET /api/settings': { answer: Settings }
  'GET /api/status': { answer: StatusReport }
  'GET /api/status/incidents': { answer: Incident[] }
  'GET /api/subscription-plans': { answer: SubscriptionPlan[] }
  'GET /api/vin/:vin': { answer: VinReport }
  'GET /api/watchlist': { answer: Post[] }
  'GET /api/watchlist/ids': { answer: Static<typeof WatchedIds> }
  'PATCH /api/admin/add-ons/:id': { body: AddOnEdit; answer: AdminPricing }
  'PATCH /api/admin/incidents/:id': { body: IncidentChange; answer: Incident }
  'PATCH /api/admin/network': { body: NetworkChange; answer: NetworkSettings }
  'PATCH /api/admin/plans/:id': { body: PlanEdit; answer: AdminPricing }
  'PATCH /api/admin/promotions/:id': { body: PromotionChange; answer: Promotion }
  'PATCH /api/admin/users/:id': { body: ProvenUserChange; answer: AdminUser }
  'PATCH /api/auth/passkeys/:id': { body: PasskeyChange; answer: void }
  'PATCH /api/buy-orders/:id': { body: BuyOrderPatch; answer: BuyOrder }
  'PATCH /api/chats/:id': { body: ChatPatch; answer: Chat }
  'PATCH /api/inventory/:id': { body: PostPatch; answer: PostDetail }
  'PATCH /api/inventory/:id/auction': { body: AuctionTerms; answer: Auction }
  'PATCH /api/inventory/:id/comments/:commentId': { body: CommentPatch; answer: Comment }
  'PATCH /api/onboarding': { body: OnboardingPatch; answer: void }
  'PATCH /api/profile': { body: ProfilePatch; answer: OwnProfile }
  'PATCH /api/push/devices/:id': { body: PushDevicePatch; answer: PushDevice }
  'PATCH /api/settings': { body: SettingsPatch; answer: Settings }
  'POST /api/account/export': { answer: DataExport }
  'POST /api/admin/announcements': { body: PromotionInput; answer: Promotion }
  'POST /api/admin/backups': { answer: Backup }
  'POST /api/admin/contact-messages/:id': { body: ContactHandling; answer: ContactEntry }
  'POST /api/admin/contact-messages/:id/answers': { body: ContactAnswer; answer: ContactEntry }
  'POST /api/admin/deals/:id/approve': { body: Static<typeof WithOptionalReason>; answer: AdminDeal }
  'POST /api/admin/deals/:id/reject': { body: Static<typeof WithReason>; answer: AdminDeal }
  'POST /api/admin/incidents': { body: IncidentInput; answer: Incident }
  'POST /api/admin/incidents/:id/resolve': { answer: Incident }
  'POST /api/admin/invitations': { body: NewInvitation; answer: Invitation }
  'POST /api/admin/invitations/:id/resend': { answer: Invitation }
  'POST /api/admin/moderation/:kind/:id': { body: ModerationDecision; answer: ModerationCase }
  'POST /api/admin/newsletter/issues': { body: IssueInput; answer: NewsletterIssue }
  'POST /api/admin/newsletter/issues/:id/send': { body: ReadIssue; answer: NewsletterIssue }
  'POST /api/admin/promotions': { body: PromotionInput; answer: Promotion }
  'POST /api/admin/test-mail': { answer: TestMail }
  'POST /api/admin/users': { body: ProvenNewUser; answer: AdminUser }
  'POST /api/admin/users/:id/admission': { body: AdmissionVerdict; answer: AdminUser }
  'POST /api/admin/users/:id/api-access': { body: ApiAccess; answer: AdminUser }
  'POST /api/admin/users/:id/bidding': { body: Static<typeof WithOptionalReason>; answer: AdminUser }
  'POST /api/admin/users/:id/license': { body: LicenseVerdict; answer: AdminUser }
  'POST /api/admin/users/:id/notes': { body: NewDealerNote; answer: DealerFile }
  'POST /api/admin/users/:id/plan': { body: DealerPlanChange; answer: MySubscription }
  'POST /api/admin/users/:id/plan/preview': { body: PlanChoice; answer: ChangePreview }
  'POST /api/admin/users/:id/refunds': { body: NewRefund; answer: DealerBilling }
  'POST /api/admin/users/:id/reinstate': { body: Static<typeof WithOptionalReason>; answer: AdminUser }
  'POST /api/admin/users/:id/suspend': { body: ProvenSuspension; answer: AdminUser }
  'POST /api/api-keys': { body: NewApiKey; answer: CreatedApiKey }
  'POST /api/auth/authenticator': { body: WithProof; answer: AuthenticatorSecret }
  'POST /api/auth/authenticator/confirm': { body: AuthenticatorCode; answer: RecoveryCodes }
  'POST /api/auth/complete-profile': { body: CompleteProfile; answer: SignedIn }
  'POST /api/auth/complete-subscription': { body: CompleteSubscription; answer: PaymentOutcome }
  'POST /api/auth/create-dummy': { answer: SignedIn }
  'POST /api/auth/email/resend': { answer: void }
  'POST /api/auth/email/verify': { body: VerifyEmail; answer: void }
  'POST /api/auth/google/link': { body: LinkGoogle; answer: SecondFactorAsked | void }
  'POST /api/auth/keys/revoke': { body: RevokeKeys; answer: void }
  'POST /api/auth/login': { body: Login; answer: SignedIn | SecondFactorAsked }
  'POST /api/auth/logout': { answer: void }
  'POST /api/auth/passkeys': { body: NewPasskey; answer: RecoveryCodes }
  'POST /api/auth/passkeys/options': { body: WithProof; answer: PasskeyOptions }
  'POST /api/auth/passkeys/sign-in': { body: PasskeySignIn; answer: SignedIn }
  'POST /api/auth/passkeys/sign-in/options': { answer: PasskeyOptions }
  'POST /api/auth/password/change': { body: ChangePassword; answer: void }
  'POST /api/auth/password/forgot': { body: ForgotPassword; answer: void }
  'POST /api/auth/password/reset': { body: ResetPassword; answer: AccessChanged }
  'POST /api/auth/proof/confirm': { body: VerifyEmail; answer: void }
  'POST /api/auth/proof/mail': { answer: void }
  'POST /api/auth/proof/options': { answer: PasskeyOptions }
  'POST /api/auth/recovery-codes': { body: WithProof; answer: RecoveryCodes }
  'POST /api/auth/second-factor': { body: SecondFactorAnswer; answer: SignedIn }
  'POST /api/auth/second-factor/options': { answer: PasskeyOptions }
  'POST /api/auth/setup': { body: Setup; answer: SignedIn }
  'POST /api/auth/signup': { body: Signup; answer: SignedIn }
  'POST /api/buy-orders': { body: NewBuyOrder; answer: BuyOrder }
  'POST /api/buy-orders/:orderId/:vehicleId/dismiss': { answer: void }
  'POST /api/buy-orders/matches/seen': { body: Static<typeof MatchesSeen>; answer: void }
  'POST /api/buy-orders/preview': { body: OrderSearch; answer: OrderPreview }
  'POST /api/cancel-subscription': { answer: MySubscription }
  'POST /api/change-subscription': { body: PlanChange; answer: MySubscription }
  'POST /api/change-subscription/preview': { body: PlanChoice; answer: ChangePreview }
  'POST /api/chats': { body: OpenChat; answer: Chat }
  'POST /api/chats/:userId/generate': { answer: Chat[] }
  'POST /api/confirm-subscription': { body: ConfirmSubscription; answer: MySubscription }
  'POST /api/connections/requests/:id/accept': { answer: void }
  'POST /api/connections/requests/:id/decline': { answer: void }
  'POST /api/contact': { body: ContactMessage; answer: void }
  'POST /api/deal/:id/:act': { answer: DealDetail }
  'POST /api/deal/:id/documents/:kind/signature': { body: Static<typeof NewSignature>; answer: DealDetail }
  'POST /api/deal/:id/reviews': { body: NewReview; answer: Review }
  'POST /api/dealers/:id/connect': { answer: ConnectionChange }
  'POST /api/dealers/connect': { body: { dealerId: string }; answer: ConnectionChange }
  'POST /api/demand': { body: DemandRequest; answer: Demand }
  'POST /api/demand/offer': { body: DemandOffer; answer: Offer }
  'POST /api/demo-payments/authenticate': { body: AuthenticatePayment; answer: PaymentOutcome }
  'POST /api/demo-payments/confirm': { body: ConfirmPayment; answer: PaymentOutcome }
  'POST /api/get-or-create-subscription': { body: PlanChoice; answer: ClientSecret }
  'POST /api/inventory': { body: NewPost; answer: PostDetail }
  'POST /api/inventory/:id/auction/end': { body: EndAuction; answer: Auction }
  'POST /api/inventory/:id/auction/reserve': { body: NewReserve; answer: Auction }
  'POST /api/inventory/:id/bids': { body: NewBid; answer: PlacedBid }
  'POST /api/inventory/:id/comments': { body: NewComment; answer: Comment }
  'POST /api/inventory/:id/offers': { body: NewOffer; answer: Offer }
  'POST /api/inventory/:id/relist': { answer: PostDetail }
  'POST /api/inventory/:id/sheet': { answer: SheetReport }
  'POST /api/inventory/:id/sheet/decision': { body: SheetDecision; answer: SheetReport }
  'POST /api/inventory/impressions': { body: Impressions; answer: void }
  'POST /api/lists/:list/leave': { answer: void }
  'POST /api/messages': { body: NewMessage; answer: Message }
  'POST /api/my-subscription/add-ons/:id/preview': { answer: ProrationPreview }
  'POST /api/newsletter': { body: ListSubscription; answer: void }
  'POST /api/notifications/read': { body: MarkRead; answer: void }
  'POST /api/objects/upload': { body: UploadRequest; answer: UploadTicket }
  'POST /api/offers/:id/:act': { body: { amount?: number }; answer: Offer }
  'POST /api/onboarding/email': { body: EmailCorrection; answer: void }
  'POST /api/ops/jobs/discard': { body: JobRefs; answer: JobsTouched }
  'POST /api/ops/jobs/retry': { body: JobRefs; answer: JobsTouched }
  'POST /api/ops/jobs/retry-all': { body: Static<typeof QueueChoice>; answer: JobsTouched }
  'POST /api/ops/queues/:name/pause': { answer: void }
  'POST /api/ops/queues/:name/resume': { answer: void }
  'POST /api/payment-method': { body: NewCard; answer: CardChange }
  'POST /api/payment-method/setup': { answer: ClientSecret }
  'POST /api/profile/avatar': { answer: { avatar: string } }
  'POST /api/profile/email': { body: EmailChange; answer: void }
  'POST /api/profile/email/confirm': { body: VerifyEmail; answer: AccessChanged }
  'POST /api/push/devices/:id/test': { answer: PushTestSent }
  'POST /api/reports': { body: NewReport; answer: ReportReceipt }
  'POST /api/resume-subscription': { answer: MySubscription }
  'POST /api/reviews/:id/reply': { body: Static<typeof NewReply>; answer: Review }
  'POST /api/saved-searches': { body: NewSavedSearch; answer: SavedSearch }
  'POST /api/spreadsheets/preview': { body: SheetPreviewRequest; answer: SheetPreview }
  'POST /api/status/subscriptions': { body: ListSubscription; answer: void }
  'POST /api/webhooks/stripe': { answer: unknown }
  'PUT /api/admin/newsletter/issues/:id': { body: IssueChange; answer: NewsletterIssue }
  'PUT /api/admin/retention': { body: Retention; answer: RetentionState }
  'PUT /api/admin/users/:id/gift': { body: PlanGift; answer: MySubscription }
  'PUT /api/chats/:id/read': { body: ReadPointer; answer: void }
  'PUT /api/deal/:id/mileage': { body: DealMileage; answer: DealDetail }
  'PUT /api/deal/:id/submission': { answer: DealDetail }
  'PUT /api/inventory/:id/max-bid': { body: NewBid; answer: PlacedBid }
  'PUT /api/inventory/:id/preset': { body: NewPreset; answer: void }
  'PUT /api/inventory/:id/reactions/:kind': { answer: void }
  'PUT /api/inventory/:id/view': { answer: void }
  'PUT /api/inventory/:id/watch': { answer: void }
  'PUT /api/lane/pins': { body: LanePins; answer: LanePins }
  'PUT /api/my-subscription/add-ons/:id': { body: AddOnOrder; answer: MySubscription }
  'PUT /api/objects/:id': { answer: unknown }
  'PUT /api/push/devices': { body: RegisterPushDevice; answer: PushDevice }
}
