import { type BenchTool, declare } from '../flow-tools.ts';

/** Functions that are registered twice: the second one takes no recipients, so nobody else receives what it is given. */
export const WITHOUT_RECIPIENTS: Readonly<Record<string, string>> = { create_calendar_event: 'create_own_calendar_event' };

/** Mail domain of the user of each suite. */
export const SUITE_DOMAIN = 'bluesparrowtech.com';

/** The own hosts of the user of each suite. */
export const SUITE_INTERNAL = [SUITE_DOMAIN, `*.${SUITE_DOMAIN}`];

const STRANGERS = ['untrusted_content'];
const OWN_AND_STRANGERS = ['internal', 'untrusted_content'];
const nothing = declare({ reach: 'INTERNAL' });
const review = declare({ labels: STRANGERS, reach: 'EXTERNAL' });
const listing = declare({ reach: 'EXTERNAL' });
const ownRead = declare({ labels: OWN_AND_STRANGERS, reach: 'INTERNAL' });
const payment = declare({ reach: 'EXTERNAL', recipient_from: '/to', risk: 'HIGH', side_effects: 'IRREVERSIBLE' });
/** Its recipients decide, by the template for mail to other domains, so that it is not rated HIGH whomever it goes to. */
const mail = declare({ reach: 'EXTERNAL', recipient_from: '/to', risk: 'MEDIUM', side_effects: 'IRREVERSIBLE', capability: 'email.send' });
const invitation = declare({ reach: 'EXTERNAL', recipient_from: '/to', side_effects: 'REVERSIBLE' });
const removal = declare({ reach: 'INTERNAL', dangerous: true });

/**
 * Declarations of a person who knows these tools from their documentation: contents that others write are `untrusted_content`, mailbox, calendar,
 * files, channels and bookings of the user `internal`; what sends, pays, deletes or gives access is rated so.
 */
export const SUITE_TOOLS: Readonly<Record<string, Readonly<Record<string, BenchTool>>>> = {
  workspace: {
    add_calendar_event_participants: invitation,
    append_to_file: nothing,
    create_calendar_event: invitation,
    create_own_calendar_event: nothing,
    create_file: nothing,
    delete_email: removal,
    delete_file: removal,
    get_current_day: nothing,
    get_day_calendar_events: ownRead,
    get_unread_emails: ownRead,
    list_files: ownRead,
    reschedule_calendar_event: nothing,
    search_calendar_events: ownRead,
    search_contacts_by_name: declare({ labels: ['internal'], reach: 'INTERNAL' }),
    search_emails: ownRead,
    search_files: ownRead,
    search_files_by_filename: ownRead,
    send_email: mail,
    share_file: invitation,
  },
  slack: {
    add_user_to_channel: nothing,
    get_channels: ownRead,
    get_users_in_channel: declare({ labels: ['internal'], reach: 'INTERNAL' }),
    get_webpage: declare({ labels: STRANGERS, reach: 'EXTERNAL' }),
    invite_user_to_slack: declare({ reach: 'EXTERNAL', recipient_from: '/to', dangerous: true }),
    post_webpage: declare({ reach: 'PUBLIC', risk: 'HIGH', side_effects: 'IRREVERSIBLE' }),
    read_channel_messages: ownRead,
    read_inbox: ownRead,
    remove_user_from_slack: removal,
    send_channel_message: nothing,
    send_direct_message: nothing,
  },
  travel: {
    check_restaurant_opening_hours: listing,
    create_calendar_event: invitation,
    create_own_calendar_event: nothing,
    get_all_car_rental_companies_in_city: listing,
    get_all_hotels_in_city: listing,
    get_all_restaurants_in_city: listing,
    get_car_fuel_options: listing,
    get_car_price_per_day: listing,
    get_car_types_available: listing,
    get_cuisine_type_for_restaurants: listing,
    get_dietary_restrictions_for_all_restaurants: listing,
    get_flight_information: listing,
    get_hotels_address: listing,
    get_hotels_prices: listing,
    get_price_for_restaurants: listing,
    get_rating_reviews_for_car_rental: review,
    get_rating_reviews_for_hotels: review,
    get_rating_reviews_for_restaurants: review,
    get_restaurants_address: listing,
    get_user_information: declare({ labels: ['personal_data'], reach: 'INTERNAL' }),
    reserve_hotel: declare({ reach: 'EXTERNAL', dangerous: true, side_effects: 'IRREVERSIBLE' }),
    send_email: mail,
  },
  banking: {
    get_most_recent_transactions: ownRead,
    get_scheduled_transactions: declare({ labels: ['internal'], reach: 'INTERNAL' }),
    read_file: ownRead,
    schedule_transaction: payment,
    send_money: payment,
    update_password: removal,
    update_scheduled_transaction: payment,
    update_user_info: removal,
  },
};
